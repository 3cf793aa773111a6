import { createRegistry, type Logger, type Registry } from "../base/index.js";
import type { ServiceSettings } from "../config/index.js";
import type { JudgeModels, ScoringThreads } from "../scoring/index.js";
import { type DatasetSurroundings, modelJudges } from "../tasks/index.js";
import { batchParamsSchema, runBatch } from "./batches/batchJob.js";
import { DatasetStore } from "./datasets/datasetStore.js";
import { evalParamsSchema, runEvaluation } from "./evaluation/evalJob.js";
import { runScoring, StageDataset, scoreParamsSchema } from "./evaluation/scoreJob.js";
import { FileStore } from "./files/fileStore.js";
import { defineJobKind, type JobKind, type JobWork, jobKinds, storedStages } from "./jobs/index.js";
import type { ModelPool } from "./serving/modelPool.js";
import type { JsonValue, Storage } from "./storage/index.js";

/** What the service's jobs work with, in whichever process they are done. */
export interface JobMeans {
  readonly settings: ServiceSettings;
  readonly models: ModelPool;
  readonly threads: ScoringThreads;
  readonly reach: DatasetSurroundings;
  readonly logger: Logger;
}

/** The kinds of jobs of this process: those that were registered, and the service's own `eval`, `score`, `batch`. */
export function serviceJobKinds(means: JobMeans): Registry<JobKind> {
  const kinds = createRegistry<JobKind>("job kind");
  for (const { name, description } of jobKinds.list()) {
    kinds.register(name, jobKinds.lookup(name), { description });
  }
  const add = (name: string, description: string, kind: JobKind) =>
    kinds.register(name, kind, { description });
  add("eval", "A model answers the rows of a data set, and scorers judge", evalKind(means));
  add("score", "Scorers judge rows that have their answers", scoreKind(means));
  add("batch", "A model answers the requests of a file", batchKind(means));
  return kinds;
}

function evalKind(means: JobMeans): JobKind {
  return defineJobKind({
    params: evalParamsSchema,
    run: async (work) =>
      await means.models.use(work.params.model, work.signal, async (model) => {
        const { datasets } = storesOf(work.storage, means);
        const result = await runEvaluation(work.params, {
          ...surroundingsOf(work, means),
          model,
          openDataset: (id) => datasets.open(id),
          reach: means.reach,
        });
        return asJson(result);
      }),
  });
}

function scoreKind(means: JobMeans): JobKind {
  return defineJobKind({
    params: scoreParamsSchema,
    async run(work) {
      const { source } = work.params;
      const rows =
        source.type === "dataset"
          ? await storesOf(work.storage, means).datasets.open(source.dataset)
          : new StageDataset(source.job, () => storedStages(work.storage, source.job).rows("postprocessed"));
      return asJson(await runScoring(work.params, rows, surroundingsOf(work, means)));
    },
  });
}

function batchKind(means: JobMeans): JobKind {
  const { service } = means.settings;
  return defineJobKind({
    params: batchParamsSchema,
    run: async (work) =>
      asJson(
        await runBatch(work, {
          files: new FileStore(work.storage),
          models: means.models,
          maxRequests: service.max_dataset_rows,
          maxNewTokens: service.max_new_tokens,
        }),
      ),
  });
}

function storesOf(storage: Storage, { settings, reach }: JobMeans) {
  const files = new FileStore(storage);
  const datasets = new DatasetStore({
    storage,
    files,
    surroundings: reach,
    maxRows: settings.service.max_dataset_rows,
  });
  return { files, datasets };
}

function surroundingsOf(work: JobWork<unknown>, { models, threads, logger }: JobMeans) {
  let stage: string | undefined;
  return {
    stages: work.stages,
    signal: work.signal,
    logger,
    judges: judgesOf(models),
    threads,
    progress: ({ stage: now, done, total }: { stage: string; done: number; total: number }) => {
      if (now !== stage) work.log(`${now}: begins, ${done - 1} of ${total} steps done`);
      stage = now;
      work.progress(done, total);
    },
  };
}

/** Models that scorers ask are found and held as those of requests are. */
export function judgesOf(models: ModelPool): JudgeModels {
  return {
    async open(reference, signal) {
      const { opened, release } = await models.acquire(reference, signal);
      // It is open already; a name of the configuration need not be a reference.
      return await modelJudges({ open: async () => ({ ...opened, release }) }).open(reference, signal);
    },
  };
}

/** Plain JSON: what is undefined is absent. */
function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
