import { basename, dirname, join } from "node:path";
import { ElenchusError, type Logger } from "../base/index.js";
import { parseModelReference } from "../language/index.js";
import {
  baseResponse,
  type HeldVerdict,
  HeldVerdicts,
  heldVerdict,
  judgeOfFile,
  type MixEvalBenchmark,
  type MixEvalResponse,
  mapInOrder,
  type OpenedParser,
  openParser,
  placeFolder,
  type ResponseFile,
  type ResponsePlace,
  readResponses,
  responsePlace,
  VerdictFiles,
} from "../scoring/index.js";
import { modelJudges } from "../tasks/index.js";
import type { MixEvalDocument } from "./mixEvalDocument.js";
import { mixEvalQuestions } from "./mixEvalQuestions.js";

/** What is scored, and how. */
export interface MixEvalScoringRequest {
  readonly responses: readonly string[];
  readonly parser: string;
  readonly judgeModel?: unknown;
  readonly cache?: string;
  readonly concurrency: number;
  readonly data: readonly string[];
  readonly release?: string;
  readonly benchmark?: MixEvalBenchmark;
  readonly baseModel?: boolean;
  readonly randomDraws?: boolean;
  readonly outputDir?: string;
}

/** What became of a scoring, beside its scores. */
export interface ScoredAnswers {
  readonly totals: OpenedParser["totals"];
  /** Verdicts that files had already. */
  readonly held: number;
  /** Of those, the ones that the words of their judge do not state. */
  readonly unstated: number;
  readonly firstFailure: unknown;
}

/**
 * Scores files of answers into a document. With a judge, verdicts that lie beside the answers or in the output folder
 * are read again and not asked for.
 * @throws as `readResponses` and `openParser`
 */
export async function scoreMixEval(
  request: MixEvalScoringRequest,
  document: MixEvalDocument,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<ScoredAnswers> {
  if (request.judgeModel !== undefined) parseModelReference(request.judgeModel, "--judge-model");
  const answers = await placedAnswers(request, { logger, signal });
  const { parser: name, judgeModel, concurrency, randomDraws, cache: folder, outputDir } = request;
  const judges = modelJudges({ folder, logger });
  const parser = await openParser(name, { judgeModel, judges, concurrency, randomDraws, signal });
  let files: VerdictFiles | undefined;
  let held = 0;
  let unstated = 0;
  try {
    const { found, judge } = await heldBy(answers, parser, outputDir);
    if (outputDir !== undefined) files = new VerdictFiles(outputDir, name, judge);
    if (name === "judge" && judgeModel === undefined) requireHeld(answers, found);
    const verdicts = mapInOrder(answers, parser.concurrency, async (placed) => {
      signal.throwIfAborted();
      const { answer, extracted } = placed;
      const known = found(placed);
      if (known !== undefined) return { placed, known, verdict: { ...known.verdict, answer, extracted } };
      const asked = extracted === undefined ? answer : { ...answer, response: extracted };
      const reading = await parser.parse(asked, signal);
      return { placed, known, verdict: { ...reading, answer, extracted, reply: parser.reply(asked) } };
    });
    for await (const { placed, verdict, known } of verdicts) {
      document.add(placed, placed.answer, verdict);
      if (known !== undefined) held++;
      if (known?.verdict.stated === false) unstated++;
      await files?.add(placed.place, verdict, known?.written ?? false);
    }
    await files?.finish(document.models);
  } finally {
    await files?.close();
    await parser.close();
  }
  return { totals: parser.totals, held, unstated, firstFailure: parser.firstFailure };
}

interface PlacedAnswer {
  readonly file: string;
  readonly place: ResponsePlace;
  readonly answer: MixEvalResponse;
  /** What of the answer counts, where answers are cut. */
  readonly extracted: string | undefined;
}

async function placedAnswers(
  request: MixEvalScoringRequest,
  surroundings: { logger: Logger; signal: AbortSignal },
): Promise<PlacedAnswer[]> {
  const { responses, data, release, benchmark, baseModel = false } = request;
  const questions = await mixEvalQuestions(data, { release, all: true, ...surroundings });
  const files = await readResponses(responses, questions);
  const wanted = files.filter(
    ({ file }) => benchmark === undefined || responsePlace(file).benchmark === benchmark,
  );
  if (wanted.every(({ answers }) => answers.length === 0)) throw noAnswers(request, files);
  return wanted.flatMap(({ file, answers }) => {
    if (answers.length === 0) surroundings.logger.warn(`${file} holds no answers`);
    const place = responsePlace(file);
    return answers.map((answer) => ({
      file,
      place,
      answer,
      extracted: baseModel ? baseResponse(answer.row, answer.response) : undefined,
    }));
  });
}

/** A score over nothing would look like one. */
function noAnswers({ responses, benchmark }: MixEvalScoringRequest, files: readonly ResponseFile[]) {
  const held = [...new Set(files.map(({ file }) => responsePlace(file).benchmark))].join(", ");
  const found =
    benchmark === undefined || files.every(({ answers }) => answers.length === 0)
      ? "no answers"
      : `answers of ${held}, none of ${benchmark}`;
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `${responses.join(" and ")} hold${responses.length === 1 ? "s" : ""} ${found}. Expected rows of id and response: correct --responses${benchmark === undefined ? "" : " or --benchmark"}.`,
  );
}

/** A verdict that is there already. */
interface Known {
  readonly verdict: HeldVerdict;
  /** Whether the file that is written has it. */
  readonly written: boolean;
}
type FindKnown = (placed: PlacedAnswer) => Known | undefined;

/** Finds verdicts that are there already; none for parsers without a judge, which cost nothing. */
async function heldBy(
  answers: readonly PlacedAnswer[],
  parser: OpenedParser,
  outputDir: string | undefined,
): Promise<{ found: FindKnown; judge: string | undefined }> {
  if (parser.name !== "judge") return { found: () => undefined, judge: undefined };
  const files = new Map(answers.map(({ file, place }) => [file, place]));
  const beside = new Map<string, HeldVerdicts>();
  const written = new Map<string, HeldVerdicts>();
  let { judge } = parser;
  for (const [file, place] of files) {
    const wanted = parser.judge ?? judgeOfFile(basename(file));
    beside.set(file, await HeldVerdicts.read([dirname(file)], wanted));
    const folder = outputDir === undefined ? [] : [join(outputDir, placeFolder(place))];
    written.set(file, await HeldVerdicts.read(folder, wanted));
    judge ??= wanted ?? beside.get(file)?.judge ?? written.get(file)?.judge;
  }
  const found: FindKnown = ({ file, answer, extracted }) => {
    const own = written.get(file)?.of(answer, extracted);
    if (own !== undefined) return { verdict: own, written: true };
    const besides = beside.get(file)?.of(answer, extracted);
    const verdict = heldVerdict(answer.row, answer.fields ?? {}) ?? besides;
    return verdict && { verdict, written: false };
  };
  return { found, judge };
}

function requireHeld(answers: readonly PlacedAnswer[], found: FindKnown): void {
  if (answers.length === 0 || answers.some((placed) => found(placed) !== undefined)) return;
  throw new ElenchusError(
    "CONFIG_INVALID",
    `None of the ${answers.length} answers has a verdict yet. Name the model that judges with --judge-model.`,
  );
}
