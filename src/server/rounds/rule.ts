import type { Step } from "./effects.js";
import type { FederationIn, Phase } from "./federation.js";
import type { RoundEventKind, RoundEventOf } from "./roundEvents.js";

/** One cell of the table: what an event does in a phase. */
export interface Rule<P extends Phase, Kind extends RoundEventKind> {
  /** Phases that may follow. */
  readonly to: readonly Phase[];
  /** What happens, in words; the same words stand in `docs/rounds.md`. */
  readonly does: string;
  step(state: FederationIn<P>, event: RoundEventOf<Kind>): Step;
}

/** The rules of one phase; an event without a rule changes nothing. */
export type PhaseRules<P extends Phase> = { readonly [Kind in RoundEventKind]?: Rule<P, Kind> };
