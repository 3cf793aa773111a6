import type { FastifyInstance } from "fastify";
import { type BenchmarkConfig, benchmarkRoutes } from "../../../api/index.js";
import { ElenchusError } from "../../../base/index.js";
import { datasets as builtInDatasets, MemoryStages, RowsDataset } from "../../../tasks/index.js";
import { completed } from "../../evaluation/awaitJob.js";
import { type EvalParams, requireParts, runEvaluation } from "../../evaluation/evalJob.js";
import { evaluateResponse } from "../../evaluation/evaluateResponse.js";
import { jobReply } from "../../evaluation/jobReplies.js";
import { storedStages } from "../../jobs/index.js";
import { judgesOf } from "../../serviceJobKinds.js";
import type { JsonObject } from "../../storage/index.js";
import { answer } from "../answer.js";
import type { ServiceContext } from "../serviceContext.js";
import { requireFew } from "./scoring.js";

/** Llama Stack's benchmarks. */
export function addBenchmarkRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { benchmarks, datasets, functions, jobs, models, threads, settings, storage, logger, reach } =
    context;
  const most = settings.service.max_request_rows;

  const paramsOf = async (
    benchmark: string,
    dataset: string,
    names: readonly string[],
    config: BenchmarkConfig,
  ): Promise<EvalParams> => {
    const { eval_candidate: candidate, scoring_params: given, num_examples: limit } = config;
    const stray = Object.keys(given).find((name) => !names.includes(name));
    if (stray !== undefined) {
      throw new ElenchusError(
        "REQUEST_INVALID",
        `scoring_params has ${JSON.stringify(stray)}, which is none of the scoring functions ${names.join(", ")}.`,
        { details: { param: "benchmark_config.scoring_params" } },
      );
    }
    const system = candidate.system_message?.content;
    return {
      dataset,
      row_limit: limit ?? null,
      row_selection: "first",
      row_seed: 0,
      processor: "chat",
      processor_params: system === undefined ? {} : { system_message: system },
      model: candidate.model,
      sampling: candidate.sampling_params,
      scorers: await functions.choose(Object.fromEntries(names.map((name) => [name, given[name] ?? null]))),
      benchmark,
    };
  };
  const jobOf = async ({ benchmark_id: benchmark, job_id: id }: { benchmark_id: string; job_id: string }) => {
    const job = await jobs.store.find(id);
    if (job?.kind === "eval" && job.params.benchmark === benchmark) return job;
    throw new ElenchusError("NOT_FOUND", `Job ${id} of benchmark ${benchmark} not found.`);
  };

  answer(app, benchmarkRoutes.list, async () => ({ data: await benchmarks.list() }));
  answer(app, benchmarkRoutes.get, async ({ params }) => benchmarks.get(params.benchmark_id));
  answer(app, benchmarkRoutes.register, async ({ body }) => {
    await functions.choose(Object.fromEntries(body.scoring_functions.map((name) => [name, null])));
    if (!builtInDatasets.has(body.dataset_id)) await datasets.get(body.dataset_id);
    await benchmarks.register(body);
    return undefined;
  });
  answer(app, benchmarkRoutes.remove, async ({ params }) => {
    await benchmarks.remove(params.benchmark_id);
    return undefined;
  });
  answer(app, benchmarkRoutes.run, async ({ params, body }) => {
    const { dataset_id: dataset, scoring_functions: names } = await benchmarks.get(params.benchmark_id);
    const asked = await paramsOf(params.benchmark_id, dataset, names, body.benchmark_config);
    await requireParts(asked, datasets);
    await models.find(asked.model);
    return jobReply((await jobs.submit({ kind: "eval", params: asked as unknown as JsonObject })).job);
  });
  answer(app, benchmarkRoutes.evaluate, async ({ params, body, signal }) => {
    requireFew(body.input_rows.length, most);
    await benchmarks.get(params.benchmark_id);
    const identifier = "input_rows";
    const asked = await paramsOf(
      params.benchmark_id,
      identifier,
      body.scoring_functions,
      body.benchmark_config,
    );
    const stages = new MemoryStages();
    const rows = new RowsDataset({
      type: "rows",
      identifier,
      rows: body.input_rows,
      rename_columns_map: {},
    });
    return await models.use(asked.model, signal, async (model) => {
      const means = {
        model,
        openDataset: async () => rows,
        judges: judgesOf(models),
        threads,
        reach,
        stages,
        signal,
        logger,
      };
      return await evaluateResponse(await runEvaluation(asked, means), stages as never, most);
    });
  });
  answer(app, benchmarkRoutes.status, async ({ params }) => jobReply(await jobOf(params)));
  answer(app, benchmarkRoutes.cancel, async ({ params }) => {
    await jobs.cancel((await jobOf(params)).id);
    return undefined;
  });
  answer(app, benchmarkRoutes.result, async ({ params }) => {
    const job = await jobOf(params);
    if (job.status === "scheduled" || job.status === "in_progress") {
      throw new ElenchusError("CONFLICT", `Job ${job.id} is ${job.status}: it has no result yet.`);
    }
    return await evaluateResponse(completed(job).result, storedStages(storage, job.id), most);
  });
}
