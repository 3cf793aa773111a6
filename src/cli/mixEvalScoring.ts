import { dirname } from "node:path";
import { ElenchusError, type Logger } from "../base/index.js";
import {
  baseResponse,
  type HeldVerdict,
  HeldVerdicts,
  heldVerdict,
  type MixEvalBenchmark,
  type MixEvalResponse,
  mapInOrder,
  type OpenedParser,
  openParser,
  type ResponsePlace,
  readQuestions,
  readResponses,
  responsePlace,
  VerdictFiles,
} from "../scoring/index.js";
import { modelJudges } from "../tasks/index.js";
import type { MixEvalDocument } from "./mixEvalDocument.js";

/** What is scored, and how. */
export interface MixEvalScoringRequest {
  readonly responses: readonly string[];
  readonly parser: string;
  readonly judgeModel?: unknown;
  readonly cache?: string;
  readonly concurrency: number;
  readonly data: readonly string[];
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
  const answers = await placedAnswers(request);
  const { parser: name, judgeModel, concurrency, randomDraws, cache: folder, outputDir } = request;
  const judges = modelJudges({ folder, logger });
  const parser = await openParser(name, { judgeModel, judges, concurrency, randomDraws, signal });
  const files = outputDir === undefined ? undefined : new VerdictFiles(outputDir, name, parser.judge);
  let held = 0;
  let unstated = 0;
  try {
    const found = await heldBy(answers, parser, files);
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

async function placedAnswers(request: MixEvalScoringRequest): Promise<PlacedAnswer[]> {
  const { responses, data, benchmark, baseModel = false } = request;
  const questions = (await Promise.all(data.map(readQuestions))).flat();
  const files = await readResponses(responses, questions);
  return files.flatMap(({ file, answers }) => {
    const place = responsePlace(file);
    if (benchmark !== undefined && place.benchmark !== benchmark) return [];
    return answers.map((answer) => ({
      file,
      place,
      answer,
      extracted: baseModel ? baseResponse(answer.row, answer.response) : undefined,
    }));
  });
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
  files: VerdictFiles | undefined,
): Promise<FindKnown> {
  if (parser.name !== "judge") return () => undefined;
  const places = new Map(answers.map(({ file, place }) => [dirname(file), place]));
  const beside = new Map<string, HeldVerdicts>();
  const written = new Map<string, HeldVerdicts>();
  for (const [folder, place] of places) {
    beside.set(folder, await HeldVerdicts.read([folder], parser.judge));
    if (files !== undefined) {
      written.set(folder, await HeldVerdicts.read([files.folder(place)], parser.judge));
    }
  }
  return ({ file, answer, extracted }) => {
    const own = written.get(dirname(file))?.of(answer, extracted);
    if (own !== undefined) return { verdict: own, written: true };
    const besides = beside.get(dirname(file))?.of(answer, extracted);
    const verdict = heldVerdict(answer.row, answer.fields ?? {}) ?? besides;
    return verdict && { verdict, written: false };
  };
}

function requireHeld(answers: readonly PlacedAnswer[], found: FindKnown): void {
  const open = answers.filter((placed) => found(placed) === undefined);
  if (open.length === 0) return;
  throw new ElenchusError(
    "CONFIG_INVALID",
    `${open.length} of ${answers.length} answers have no verdict yet, the first ${open[0]!.answer.id} of ${open[0]!.file}. Name the model that judges with --judge-model.`,
  );
}
