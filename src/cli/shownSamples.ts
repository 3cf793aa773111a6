import { ElenchusError } from "../base/index.js";
import type { SampleLine } from "../evaluators/index.js";
import {
  failuresIn,
  filesOfTask,
  judgingMetric,
  type RecordedRun,
  readSamples,
  sampleFiles,
  sampleText,
  scoreOf,
} from "../results/index.js";
import { shortNumber, textTable } from "./table.js";

/** Which samples are asked for. */
export interface SamplesWanted {
  readonly task: string;
  /** Only those that are not wholly right. */
  readonly failures: boolean;
  /** What they are judged by; default the task's first metric. */
  readonly metric: string | undefined;
  /** Default: all rounds with samples. */
  readonly rounds: readonly number[] | undefined;
}

/** A sample and the round it is of. */
export interface RoundSample extends SampleLine {
  readonly round: number;
}

/** Samples of one run. */
export interface FoundSamples {
  readonly metric: string | undefined;
  readonly samples: readonly RoundSample[];
}

/**
 * The samples of a task in a run, by round and then in the order in which they were asked.
 * @throws INPUT_UNREADABLE where the run has logged none; NAME_UNKNOWN for another task or metric; USAGE for a round
 *   without samples
 */
export async function findSamples(
  { runId, paths }: RecordedRun,
  wanted: SamplesWanted,
): Promise<FoundSamples> {
  const all = await sampleFiles(paths.samples);
  if (all.length === 0) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `The run "${runId}" has no samples: none are in ${paths.samples}. Evaluators log them with log_samples = true in their table; \`elenchus evaluate ${runId} --rounds all --set evaluation.log_samples=true\` does it afterwards.`,
    );
  }
  const files = filesOfTask(all, wanted.task);
  const rounds = new Set(files.map(({ round }) => round));
  const absent = (wanted.rounds ?? []).filter((round) => !rounds.has(round));
  if (absent.length > 0) {
    throw new ElenchusError(
      "USAGE",
      `The run "${runId}" has no samples of "${wanted.task}" in round ${absent.join(", ")}; it has of ${[...rounds].join(", ")}.`,
    );
  }
  const samples: RoundSample[] = [];
  for (const { path, round } of files) {
    if (wanted.rounds !== undefined && !wanted.rounds.includes(round)) continue;
    for await (const sample of readSamples(path)) samples.push({ round, ...sample });
  }
  const metric = judgingMetric(samples, wanted.metric);
  return { metric, samples: wanted.failures ? failuresIn(samples, metric) : samples };
}

/** Longest text of a cell, in characters. */
const LONGEST_CELL = 48;

/**
 * Samples as a table: the end of the prompt, the answer, what is right, the score.
 * @param limit rows at most; of the rest it is said how many there are
 */
export function samplesTable({ metric, samples }: FoundSamples, limit: number): string {
  const shown = limit < 0 ? samples : samples.slice(0, limit);
  const several = new Set(samples.map(({ evaluator, task }) => `${evaluator}/${task}`)).size > 1;
  const rows = shown.map((sample) => {
    const { prompt, answer, gold } = sampleText(sample);
    return [
      String(sample.round),
      ...(several ? [sample.evaluator, sample.task] : []),
      String(sample.doc),
      end(prompt),
      beginning(answer),
      beginning(gold),
      scoreText(scoreOf(sample, metric)),
    ];
  });
  const head = ["round", ...(several ? ["evaluator", "task"] : []), "doc", "prompt", "answer", "gold"];
  const left = samples.length - shown.length;
  const more = left > 0 ? `\n${left} more; --limit -1 shows all, --json everything in them.` : "";
  return `${textTable([...head, metric ?? "score"], rows)}${more}`;
}

function scoreText(score: number | readonly number[] | null): string {
  return score === null ? "" : [score].flat().map(shortNumber).join(", ");
}

function end(text: string): string {
  const line = oneLine(text);
  return line.length <= LONGEST_CELL ? line : `...${line.slice(3 - LONGEST_CELL)}`;
}

function beginning(text: string): string {
  const line = oneLine(text);
  return line.length <= LONGEST_CELL ? line : `${line.slice(0, LONGEST_CELL - 3)}...`;
}

/** White space at the ends means something to a model and nothing to a reader; other control is made visible. */
function oneLine(text: string): string {
  return (
    text
      .trim()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: an answer must not steer the terminal
      .replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1))
  );
}
