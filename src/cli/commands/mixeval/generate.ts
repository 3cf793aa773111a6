import { basename } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  createLogger,
  ElenchusError,
  type Logger,
  loadModules,
  messageOf,
  ProgressMeter,
  systemClock,
} from "../../../base/index.js";
import { hubSettings } from "../../../hub/index.js";
import { type ModelReference, openModel, parseModelReference } from "../../../language/index.js";
import {
  findRelease,
  MIXEVAL_BENCHMARKS,
  MIXEVAL_REPOSITORY,
  type MixEvalBenchmark,
} from "../../../scoring/index.js";
import {
  type GeneratedResponses,
  generateResponses,
  isBaseModel,
  usualNewTokens,
} from "../../../tasks/index.js";
import { type CommonOptions, positiveNumber } from "../../commonOptions.js";
import type { Output } from "../../output.js";
import { signalStatus, stoppable } from "../../signals.js";
import { referenceOption } from "./referenceOption.js";

interface GenerateOptions {
  readonly model: unknown;
  readonly modelName?: string;
  readonly data: string;
  readonly release?: string;
  readonly benchmark?: MixEvalBenchmark;
  readonly outputDir: string;
  readonly baseModel?: boolean;
  readonly systemPrompt?: string;
  readonly maxNewTokens?: number;
  readonly temperature: number;
  readonly topP: number;
  readonly concurrency?: number;
}

/** `elenchus mixeval generate`: a model's answers to a release, in MixEval's files. */
export function addGenerateCommand(
  mixeval: Command,
  program: Command,
  { output, setExit }: { output: Output; setExit: (status: number) => void },
): void {
  mixeval
    .command("generate")
    .description("have a model answer a release; a run that was stopped goes on")
    .addOption(
      referenceOption(
        "--model <reference>",
        "whose answers: a server's model, a folder, a run's checkpoint",
      ).makeOptionMandatory(),
    )
    .option("--model-name <name>", "what its folder is called")
    .option("--data <place>", "folder with a release, or a data set of the hub", MIXEVAL_REPOSITORY)
    .option("--release <day>", "which release, such as 2024-08-11 (default: the newest there)")
    .addOption(new Option("--benchmark <name>", "only this one").choices([...MIXEVAL_BENCHMARKS]))
    .requiredOption("--output-dir <folder>", "answers go to MODEL/BENCHMARK/VERSION below it")
    .option("--base-model", "put five worked examples in front, as for models without a chat template")
    .option("--system-prompt <text>", "what stands in front of every question")
    .option("--max-new-tokens <n>", "the most tokens of an answer", positiveNumber)
    .option("--temperature <t>", "0: the most likely token", number, 0)
    .option("--top-p <p>", "draw among tokens of this share", number, 1)
    .option("--concurrency <n>", "questions at a time", positiveNumber)
    .action(async (own: GenerateOptions) => {
      const options = program.opts<CommonOptions>();
      await loadModules(options.import);
      const logger = createLogger(options.log, (line, level) =>
        output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
      );
      const { received, value } = await stoppable(async ({ signal }, stopped) => {
        try {
          return await generate(own, { logger, signal, seed: options.seed ?? 0 });
        } catch (error) {
          if (stopped() === null) throw error;
          return null;
        }
      });
      if (received !== null || value === null) {
        output.stderr(
          "error [INTERRUPTED]: Stopped; the answers so far are kept, and the same command goes on.\n",
        );
        setExit(signalStatus(received ?? "SIGINT"));
        return;
      }
      output.stdout(options.json ? `${JSON.stringify(told(value))}\n` : summary(value));
      requireAnswers(value);
    });
}

async function generate(
  own: GenerateOptions,
  { logger, signal, seed }: { logger: Logger; signal: AbortSignal; seed: number },
): Promise<GeneratedResponses> {
  const hub = { settings: hubSettings(process.env), logger, clock: systemClock, signal };
  const benchmarks = own.benchmark && [own.benchmark];
  const release = await findRelease({ data: own.data, version: own.release, benchmarks }, hub);
  const reference = parseModelReference(own.model, "--model");
  const { name, model, tokenizer, release: free } = await openModel(reference, { logger, hub });
  try {
    const baseModel = own.baseModel ?? isBaseModel(tokenizer);
    if (baseModel && own.baseModel === undefined) {
      logger.info(`${name} has no chat template: it is asked as a base model, with five worked examples`);
    }
    return await generateResponses({
      model,
      reference: name,
      modelName: own.modelName ?? modelNameOf(reference, name),
      release,
      root: own.outputDir,
      baseModel,
      systemPrompt: own.systemPrompt,
      settings: {
        maxNewTokens: own.maxNewTokens ?? usualNewTokens(baseModel, tokenizer),
        temperature: own.temperature,
        topP: own.topP,
        seed,
      },
      concurrency: own.concurrency,
      signal,
      onProgress: progressLines(logger),
    });
  } finally {
    await free();
  }
}

function modelNameOf(reference: ModelReference, name: string): string {
  if ("url" in reference) return reference.model;
  return "pretrained" in reference ? basename(reference.pretrained) : name;
}

/** A line when it begins, then not more often than every ten seconds, then one at the end. */
function progressLines(logger: Logger) {
  const meter = new ProgressMeter(systemClock);
  let next = Number.NEGATIVE_INFINITY;
  return (done: number, total: number, known: number): void => {
    const { rate, timeLeft } = meter.at(done, total, known);
    const now = systemClock.monotonic();
    if (now < next && done < total) return;
    next = now + 10_000;
    const left = timeLeft === null ? "" : `, ${Math.round(timeLeft)} s left`;
    logger.info(
      `${done} of ${total} rows answered${rate === null ? "" : `, ${rate.toFixed(1)} a second`}${left}`,
    );
  };
}

function told({ files, rows, answered, calls }: GeneratedResponses) {
  return { files, rows, answered, calls };
}

function summary({ files, rows, answered, calls }: GeneratedResponses): string {
  return `${answered} of ${rows} rows answered, ${calls} questions asked\n${files.map((file) => `${file}\n`).join("")}`;
}

function requireAnswers({ rows, answered, firstFailure }: GeneratedResponses): void {
  if (answered === rows) return;
  throw new ElenchusError(
    "SCORING_FAILED",
    `${rows - answered} of ${rows} rows have no answer, the first because ${messageOf(firstFailure).replace(/\.$/, "")}. The others are kept; run the command again to ask for these.`,
    { details: { documentPrinted: true } },
  );
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError(`expected a number from 0, found ${JSON.stringify(text)}.`);
}
