import type {
  CreateJob,
  EvaluateDatasetConfig,
  EvaluateScoringConfig,
  EvaluateTaskConfig,
} from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import { processors } from "../../tasks/index.js";
import type { ChosenScorer, ScoringFunctionStore } from "../scoring/scoringFunctions.js";
import type { EvalParams } from "./evalJob.js";
import type { ScoreParams } from "./scoreJob.js";

/** A task as a job's parameters. @throws NAME_UNKNOWN for a scorer; REQUEST_INVALID */
export async function evalParamsOf(given: CreateJob, functions: ScoringFunctionStore): Promise<EvalParams> {
  const config = "eval_task_config" in given ? given.eval_task_config : taskOf(given);
  const { dataset_config: rows, processor_config: processor, generation_config: generation } = config;
  const name = processor.processor_identifier;
  return {
    // A benchmark task has rows of its own, which its own name stands for.
    dataset: !processors.has(name) && rows.dataset_identifier === name ? null : rows.dataset_identifier,
    ...selection(rows),
    processor: name,
    processor_params: {
      ...processor.preprocess_config?.kwargs,
      ...processor.postprocess_config?.kwargs,
    },
    model: generation.model,
    sampling: generation.sampling_params,
    scorers: await chosenScorers(config.scoring_config, functions),
    benchmark: null,
  };
}

/** Scoring of prepared rows as a job's parameters. @throws as `evalParamsOf` */
export async function scoreParamsOf(
  {
    dataset_config: rows,
    eval_scoring_config: scoring,
  }: {
    dataset_config: EvaluateDatasetConfig;
    eval_scoring_config: EvaluateScoringConfig;
  },
  functions: ScoringFunctionStore,
): Promise<ScoreParams> {
  return {
    source: { type: "dataset", dataset: rows.dataset_identifier },
    ...selection(rows),
    scorers: await chosenScorers(scoring, functions),
  };
}

function taskOf(given: Exclude<CreateJob, { eval_task_config: unknown }>): EvaluateTaskConfig {
  const { model, dataset, task, scorers, row_limit, sampling_params } = given;
  return {
    dataset_config: { dataset_identifier: dataset, row_limit },
    processor_config: { processor_identifier: task },
    generation_config: { model, sampling_params },
    scoring_config: { scorer_config_list: scorers.map((scorer_name) => ({ scorer_name })) },
  };
}

/** The first rows, unless a seed is given: then a sample that is the same each time. */
function selection({ row_limit: limit, kwargs }: EvaluateDatasetConfig) {
  const { seed, ...stray } = kwargs ?? {};
  const [unknown] = Object.keys(stray);
  if (unknown !== undefined || (seed !== undefined && !Number.isSafeInteger(seed))) {
    throw new ElenchusError(
      "REQUEST_INVALID",
      `dataset_config.kwargs takes a whole number as seed and nothing else${unknown === undefined ? "" : `; found ${JSON.stringify(unknown)}`}.`,
      { details: { param: "dataset_config.kwargs" } },
    );
  }
  return {
    row_limit: limit ?? null,
    row_selection: seed === undefined ? ("first" as const) : ("sample" as const),
    row_seed: (seed as number | undefined) ?? 0,
  };
}

/** Each under a label of its own, so that of two judges neither covers the other. */
async function chosenScorers(
  { scorer_config_list: list }: EvaluateScoringConfig,
  functions: ScoringFunctionStore,
): Promise<ChosenScorer[]> {
  const chosen: ChosenScorer[] = [];
  for (const { scorer_name: name, llm_judge_config: judge, params } of list) {
    const [one] = await functions.choose({ [name]: { ...judgeParams(judge), ...params } });
    const others = chosen.filter(({ name: other, label }) => other === one!.name || label === name).length;
    chosen.push({ ...one!, label: others === 0 ? name : `${name}#${others + 1}` });
  }
  return chosen;
}

type JudgeConfig = EvaluateScoringConfig["scorer_config_list"][number]["llm_judge_config"];

function judgeParams(judge: JudgeConfig): Record<string, unknown> {
  if (judge === null || judge === undefined) return {};
  const { model, sampling_params: sampling } = judge.judge_model_generation_config;
  const { strategy, max_tokens: most, seed } = sampling;
  return {
    judge_model: model,
    ...(strategy.type === "top_p" && strategy.temperature != null && { temperature: strategy.temperature }),
    ...(most != null && most > 0 && { max_tokens: most }),
    ...(seed != null && { seed }),
    ...judge.judge_scoring_config,
  };
}
