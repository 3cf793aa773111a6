import { RunningMean } from "../aggregation/runningMean.js";
import type { InstructionVerdicts } from "./checkInstructions.js";

/** The verdicts on one response and what they are about. */
export interface JudgedInstructions extends Pick<InstructionVerdicts, "strict" | "loose"> {
  instructionIdList: readonly string[];
}

/** The accuracies of IFEval, 0 to 1, and their standard errors; null where nothing, or one thing only, was judged. */
export type IfevalMetrics = Record<
  (typeof ACCURACIES)[number] | `${(typeof ACCURACIES)[number]}_stderr`,
  number | null
>;

/** Share of the responses that followed an instruction, of `count` that were to. */
export interface InstructionAccuracy {
  count: number;
  strict: number;
  loose: number;
}

export const ACCURACIES = [
  "prompt_level_strict_acc",
  "inst_level_strict_acc",
  "prompt_level_loose_acc",
  "inst_level_loose_acc",
] as const;

/**
 * Gathers verdicts: per prompt (all instructions followed) and per instruction, strict and loose. Standard errors
 * are sqrt(sum (x - mean)^2 / (n - 1)) / sqrt(n), over prompts and over all instructions of all prompts.
 */
export class IfevalAccuracies {
  readonly #means = new Map(ACCURACIES.map((name) => [name, new RunningMean()]));
  readonly #instructions = new Map<string, { strict: RunningMean; loose: RunningMean }>();

  add({ instructionIdList, strict, loose }: JudgedInstructions): void {
    this.#means.get("prompt_level_strict_acc")!.add(Number(strict.every(Boolean)));
    this.#means.get("prompt_level_loose_acc")!.add(Number(loose.every(Boolean)));
    for (const [index, id] of instructionIdList.entries()) {
      let own = this.#instructions.get(id);
      if (own === undefined) {
        own = { strict: new RunningMean(), loose: new RunningMean() };
        this.#instructions.set(id, own);
      }
      this.#means.get("inst_level_strict_acc")!.add(Number(strict[index]));
      this.#means.get("inst_level_loose_acc")!.add(Number(loose[index]));
      own.strict.add(Number(strict[index]));
      own.loose.add(Number(loose[index]));
    }
  }

  metrics(): IfevalMetrics {
    const entries = [...this.#means].flatMap(([name, { mean, standardError }]) => [
      [name, mean],
      [`${name}_stderr`, standardError],
    ]);
    return Object.fromEntries(entries) as IfevalMetrics;
  }

  /** By id, sorted. */
  instructions(): Map<string, InstructionAccuracy> {
    const sorted = [...this.#instructions].sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(
      sorted.map(([id, { strict, loose }]) => [
        id,
        { count: strict.count, strict: strict.mean!, loose: loose.mean! },
      ]),
    );
  }
}
