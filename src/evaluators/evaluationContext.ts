import { ElenchusError } from "../base/index.js";
import { TrainingContext } from "../context/index.js";
import type { StateMap } from "./evaluationState.js";
import { kindOf } from "./jsonCopy.js";

/** A `TrainingContext`, or a foreign loop's object with as much of one as it has. */
export type EvaluationContext = Partial<TrainingContext>;

/** A context and what was read from it. */
export interface GivenContext {
  /** The very object that was given, for evaluators. */
  readonly context: TrainingContext;
  readonly state: StateMap;
  readonly currentRound: number;
  readonly clientId: number;
}

/**
 * Reads a context before the first evaluator can change it: what one does to it afterwards cannot lead the
 * bookkeeping astray. Round and client that are no whole numbers, absent ones too, count as 0; a state that
 * is absent is made.
 * @throws USAGE where the state is there and no Map, or cannot be made
 */
export function givenContext(given: EvaluationContext | null | undefined): GivenContext {
  const context = given ?? new TrainingContext();
  return {
    context: context as TrainingContext,
    state: stateOf(context),
    currentRound: wholeNumber(context.currentRound),
    clientId: wholeNumber(context.clientId),
  };
}

/** The number itself, or 0 for anything that is no whole number. */
export function wholeNumber(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : 0;
}

function stateOf(context: { state?: unknown }): StateMap {
  const { state } = context;
  if (state === undefined || state === null) {
    const made: StateMap = new Map();
    if (Reflect.set(context, "state", made)) return made;
    throw unusable("it has none, and none can be put there");
  }
  // A Map of any realm.
  if (Object.prototype.toString.call(state) === "[object Map]") return state as StateMap;
  throw unusable(`its state is ${kindOf(state)}`);
}

function unusable(found: string): ElenchusError {
  return new ElenchusError(
    "USAGE",
    `The context cannot take results: ${found}. Expected a TrainingContext, or an object whose \`state\` is a Map.`,
  );
}
