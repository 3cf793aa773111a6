import { basename, dirname } from "node:path";
import { isChoice, type MixEvalRow } from "./mixEvalRow.js";

/** Both benchmarks of a release: every question of the hard one is in the other too. */
export const MIXEVAL_BENCHMARKS = ["mixeval", "mixeval_hard"] as const;
export type MixEvalBenchmark = (typeof MIXEVAL_BENCHMARKS)[number];

/** What a file of answers is called after. */
export type QuestionKind = "freeform" | "multichoice";

export function kindOfRow(row: Pick<MixEvalRow, "problem_type">): QuestionKind {
  return isChoice(row) ? "multichoice" : "freeform";
}

/** Whose answers a file has. */
export interface ResponsePlace {
  readonly model: string;
  readonly benchmark: MixEvalBenchmark;
  /** Null where neither the file nor its folders name one. */
  readonly version: string | null;
}

/** `<model>/<benchmark>/<version>`, where answers, verdicts and scores of a model lie. */
export function placeFolder({ model, benchmark, version }: ResponsePlace): string {
  return `${fileNameOf(model)}/${benchmark}/${version ?? UNKNOWN_VERSION}`;
}

/** `<model>_close_freeform[_hard].jsonl` or `<model>_close_multichoice[_hard].jsonl`. */
export function responseFileName({ model, benchmark }: ResponsePlace, kind: QuestionKind): string {
  return `${fileNameOf(model)}_close_${splitName(benchmark, kind)}.jsonl`;
}

/** `status_close_freeform[_hard].json`: how a file was made, and how far it is. */
export function statusFileName(benchmark: MixEvalBenchmark, kind: QuestionKind): string {
  return `status_close_${splitName(benchmark, kind)}.json`;
}

/** `judge_results_ff_rule.jsonl`, or with a judge `judge_results_ff_model_judge_<judge>.jsonl`; `mp` for choices. */
export function verdictFileName(kind: QuestionKind, parser: string, judge: string | undefined): string {
  const how = parser === "judge" ? `model_judge_${fileNameOf(judge ?? "unknown")}` : fileNameOf(parser);
  return `judge_results_${KIND_MARK[kind]}_${how}.jsonl`;
}

/** The judge of a file of verdicts; undefined for another file. */
export function judgeOfFile(name: string): string | undefined {
  return /^judge_results_(?:ff|mp)_model_judge_(.+)\.jsonl$/.exec(name)?.[1];
}

/** Whose answers a file has, by its name and, where they are laid out as published, its folders. */
export function responsePlace(file: string): ResponsePlace {
  const [, named, , hard] = /^(.+)_close_(freeform|multichoice)(_hard)?\.jsonl?$/.exec(basename(file)) ?? [];
  const folders = dirname(file).split(/[/\\]/);
  const last = folders.at(-1) ?? "";
  const laidOut = benchmarkNamed(folders.at(-2));
  const versioned = laidOut !== undefined && (VERSION.test(last) || last === UNKNOWN_VERSION);
  return {
    model: (versioned ? folders.at(-3) : undefined) || named || basename(file).replace(/\.[^.]*$/, ""),
    benchmark: (versioned ? laidOut : undefined) ?? (hard === undefined ? "mixeval" : "mixeval_hard"),
    version: VERSION.exec(last)?.[0] ?? null,
  };
}

/** A benchmark by the name of a folder: releases write a dash, answers an underscore, the hub capitals. */
export function benchmarkNamed(folder: string | undefined): MixEvalBenchmark | undefined {
  const name = folder?.toLowerCase().replaceAll("-", "_");
  return MIXEVAL_BENCHMARKS.find((benchmark) => benchmark === name);
}

/** A release is called after its day. */
export const VERSION = /\d{4}-\d{2}-\d{2}$/;
const UNKNOWN_VERSION = "unversioned";
const KIND_MARK = { freeform: "ff", multichoice: "mp" } as const;

function splitName(benchmark: MixEvalBenchmark, kind: QuestionKind): string {
  return `${kind}${benchmark === "mixeval_hard" ? "_hard" : ""}`;
}

/** As the original: a slash becomes an underscore. Nothing of a name may lead elsewhere. */
function fileNameOf(name: string): string {
  const safe = name.replace(/[/\\:\0]/g, "_");
  return /^\.*$/.test(safe) ? `_${safe}` : safe;
}
