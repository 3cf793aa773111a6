import type { Logger, RowsInThreads, RowThreads } from "../../base/index.js";
import type { BootstrapInterval, BootstrapRequest } from "../aggregation/bootstrap.js";
import type { Verdict, VerdictRules } from "../judge/verdict.js";

/** Threads that do for scorers what computes, so that no row holds up more than itself. */
export interface ScoringThreads {
  /** The threads themselves, for other work on rows. */
  readonly threads: RowThreads;
  /** Hears of what goes on without a thread. */
  readonly logger?: Logger | undefined;
  /** The rows of a scorer with these params; undefined where a thread would not have that very scorer. */
  rows(scorer: { readonly name: string }, params: unknown): RowsInThreads | undefined;
  /** Reads answers of a judge by rules that came with a request. */
  verdicts(rules: VerdictRules): VerdictReader;
  /** As `bootstrapInterval`, a part at a time. @throws the signal's reason */
  interval(request: BootstrapRequest, signal: AbortSignal | undefined): Promise<BootstrapInterval | null>;
}

/** Reads answers. To be ended. */
export interface VerdictReader {
  /** @throws ROW_TIMEOUT, ROW_TOO_LARGE */
  read(text: string, signal: AbortSignal | undefined): Promise<Verdict>;
  end(): void;
}
