import { columnName, ElenchusError, systemClock } from "../../base/index.js";
import { type Config, pathsOf } from "../../config/index.js";
import { type HubEnvironment, hubSettings } from "../../hub/index.js";
import { type LanguageModel, openModel, parseModelReference } from "../../language/index.js";
import {
  baseResponse,
  findRelease,
  MIXEVAL_REPOSITORY,
  mapInOrder,
  type OpenedParser,
  openParser,
  type Release,
  responseParser,
} from "../../scoring/index.js";
import { isBaseModel, modelJudges, promptOf, promptRequest, usualNewTokens } from "../../tasks/index.js";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import type { EvaluatorPreparation } from "../evaluator.js";
import { type RequestedLanguageModel, requestedLanguageModel } from "../requestedLanguageModel.js";
import { type ChosenQuestion, chosenQuestions } from "./chosenQuestions.js";
import type { MixEvalConfig } from "./mixEvalOptions.js";
import { mixEvalResult, type ScoredQuestion } from "./mixEvalResult.js";

/**
 * Looks for a release, a parser and a judge's reference that would fail later.
 * @throws as `findRelease`; NAME_UNKNOWN, CONFIG_INVALID, EVALUATION_CONFIG
 */
export async function prepareMixEval(
  config: MixEvalConfig,
  { hub, config: whole, tokenizer }: EvaluatorPreparation,
): Promise<void> {
  requireParser(config);
  if (config.base_model === false && isBaseModel(tokenizer)) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      'base_model is false, but the tokenizer has no chat template. Set it to true or "auto".',
    );
  }
  const release = await releaseOf(config, hub);
  const { questions } = chosenQuestions(release, limitOf(config), whole.trainer.random_seed);
  requirePrimary(config, questions);
}

/** Asks the model of a request, each different prompt once, and scores every row. */
export async function evaluateMixEval(
  config: MixEvalConfig,
  request: EvaluationInput,
): Promise<EvaluationResult> {
  const { logger, signal, seed } = request;
  requireParser(config);
  const hub = { settings: hubSettings(process.env), logger, clock: systemClock, signal };
  const release = await releaseOf(config, hub);
  const { questions, total } = chosenQuestions(release, limitOf(config), seed);
  const requested = await requestedLanguageModel(request, { unchanged: true });
  const baseModel = config.base_model === "auto" ? isBaseModel(requested.tokenizer) : config.base_model;
  try {
    const answered = await answers(questions, { config, request, requested, baseModel });
    const parser = await parserOf(config, request, requested);
    try {
      const scored = await scores(answered, { parser, baseModel, signal });
      for (const one of scored) await request.samples?.add(one.benchmark, sampleOf(one));
      if (parser.totals !== null) logger.info(`[mixeval] judge: ${parser.totals.calls} calls`);
      const { version } = release;
      return mixEvalResult(scored, { config, version, total, baseModel, parser });
    } finally {
      await parser.close();
    }
  } finally {
    await requested.release();
  }
}

async function releaseOf(config: MixEvalConfig, hub: HubEnvironment): Promise<Release> {
  const { data_dir, repository = MIXEVAL_REPOSITORY, version, benchmarks } = config;
  return await findRelease({ data: data_dir ?? repository, version, benchmarks }, hub);
}

function requireParser({ parser, judge_model: judge }: MixEvalConfig): void {
  if (parser !== "judge") responseParser(parser);
  else if (judge !== undefined) parseModelReference(judge, "judge_model");
  if ((parser === "judge") === (judge !== undefined)) return;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    parser === "judge"
      ? 'The parser "judge" needs judge_model: https://host/v1#MODEL, a folder, RUN@ROUND or self.'
      : `judge_model is given, and the parser "${parser}" asks no judge. Set parser = "judge", or leave judge_model out.`,
  );
}

function limitOf({ limit = -1 }: MixEvalConfig): number | undefined {
  return limit < 0 ? undefined : limit;
}

function requirePrimary(
  { primary_metric: primary }: MixEvalConfig,
  questions: readonly ChosenQuestion[],
): void {
  const names = new Set<string>();
  for (const { benchmark } of questions) names.add(benchmark);
  for (const { benchmark, row } of questions) names.add(`${benchmark}_${columnName(row.benchmark_name)}`);
  if (primary === undefined || names.has(primary)) return;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `primary_metric is "${primary}", which these questions do not give. They give ${[...names].join(", ")}.`,
  );
}

interface Asking {
  readonly config: MixEvalConfig;
  readonly request: EvaluationInput;
  readonly requested: RequestedLanguageModel;
  readonly baseModel: boolean;
}

type AnsweredQuestion = ChosenQuestion & { readonly prompt: string; readonly response: string };

async function answers(
  questions: readonly ChosenQuestion[],
  { config, request, requested: { model, tokenizer }, baseModel }: Asking,
): Promise<AnsweredQuestion[]> {
  const asked = questions.map((question) => ({ ...question, prompt: promptOf(question.row, baseModel) }));
  const prompts = [...new Set(asked.map(({ prompt }) => prompt))];
  const form = { baseModel, systemPrompt: config.system_prompt };
  let [done, known] = [0, 0];
  const generated = await model.generate(
    prompts.map((prompt) => promptRequest(prompt, form)),
    {
      maxNewTokens: config.max_new_tokens ?? usualNewTokens(baseModel, tokenizer),
      signal: request.signal,
      onAnswered: (count, kept = false) => {
        done += count;
        if (kept) known += count;
        request.progress?.(done, prompts.length, known);
      },
    },
  );
  const byPrompt = new Map(prompts.map((prompt, place) => [prompt, generated[place]!.text]));
  return asked.map((question) => ({ ...question, response: byPrompt.get(question.prompt)! }));
}

/** What a judge behind a server said is kept with the run, as the model's own answers are. */
async function parserOf(
  { parser, judge_model: judgeModel, judge_concurrency: concurrency }: MixEvalConfig,
  { logger, signal, config, answersFolder }: EvaluationInput,
  { model, tokenizer }: RequestedLanguageModel,
): Promise<OpenedParser> {
  const self = { name: model.name, model: model as LanguageModel, tokenizer };
  const results = resultsOf(config);
  const judges = modelJudges({
    open: (reference) => openModel(parseModelReference(reference), { self, logger, results }),
    folder: answersFolder,
    logger,
  });
  return await openParser(parser, { judgeModel, judges, concurrency, signal });
}

/** Undefined in a foreign loop, whose configuration says nothing of folders. */
function resultsOf(config: unknown): string | undefined {
  try {
    return pathsOf(config as Config).results;
  } catch {
    return undefined;
  }
}

async function scores(
  answered: readonly AnsweredQuestion[],
  { parser, baseModel, signal }: { parser: OpenedParser; baseModel: boolean; signal: AbortSignal },
): Promise<ScoredQuestion[]> {
  const scored: ScoredQuestion[] = [];
  const work = mapInOrder(answered, parser.concurrency, async (question) => {
    signal.throwIfAborted();
    const { id, row, response } = question;
    const read = { id, row, response: baseModel ? baseResponse(row, response) : response };
    const parsed = await parser.parse(read, signal);
    return { ...question, read: read.response, ...parsed, reply: parser.reply(read) };
  });
  for await (const one of work) scored.push(one);
  return scored;
}

function sampleOf({ kind, id, row, prompt, response, read, parsed, reply, score }: ScoredQuestion) {
  return {
    doc: `${kind}/${id}`,
    question: prompt,
    requests: [{ prompt }],
    answers: [
      {
        text: response,
        ...(read !== response && { read }),
        parsed: typeof parsed === "object" && parsed !== null ? { ...parsed } : parsed,
        ...(reply !== undefined && { judge: reply }),
      },
    ],
    gold: row.target,
    scores: { score },
  };
}
