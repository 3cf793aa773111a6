import type { ElenchusError } from "../base/index.js";
import type { RoundRecord } from "../results/index.js";

/** How a run ended. */
export interface RunSummary {
  readonly status: "completed" | "failed" | "interrupted";
  /** Rounds finished in the whole run, resumed parts included; round 0 does not count. */
  readonly rounds: number;
  readonly lastRow: RoundRecord | null;
  /** Why, in words: "all rounds done", "target_accuracy reached", ... */
  readonly reason: string;
  /** What made the run fail; null otherwise. Its code gives the exit status. */
  readonly error: ElenchusError | null;
  /** Messages and connections that were refused, by code. */
  readonly refused: Readonly<Record<string, number>>;
}
