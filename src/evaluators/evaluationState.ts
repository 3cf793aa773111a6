import { onePerProcess } from "../base/index.js";
import type { EvaluationOutcome, EvaluationPayload } from "./evaluationOutcome.js";
import { isPlainObject } from "./jsonCopy.js";

/** What `context.state` is, for this room: a map that others use too. */
export type StateMap = Map<string, unknown>;

const RESULTS = "evaluation_results";
const PRIMARY = "evaluation_primary";
const STATUS = "evaluation_status";

/** Keys of `context.state` that this room alone writes. */
export const EVALUATION_STATE_KEYS = [RESULTS, PRIMARY, STATUS] as const;

/** The first table's headline. */
export interface EvaluationPrimary {
  evaluator: string;
  metric: string;
  value: number;
}

/**
 * The outcomes behind what a state says, by name: the state itself has neither details nor codes of errors. One
 * for all copies of the package, as the record may belong to another than the evaluators do.
 */
const recorded = onePerProcess(
  "outcomes by state",
  () => new WeakMap<ReadonlyMap<string, unknown>, Map<string, EvaluationOutcome>>(),
);

/**
 * The whole outcomes that were recorded in this very state, in the order in which they came; none where it is a
 * copy, or was emptied since.
 */
export function recordedOutcomes(state: ReadonlyMap<string, unknown>): EvaluationOutcome[] {
  if (!EVALUATION_STATE_KEYS.some((key) => state.has(key))) return [];
  return [...(recorded.get(state)?.values() ?? [])];
}

/** Removes everything an earlier round left, so that no old number passes for a new one. */
export function clearEvaluationState(state: StateMap): void {
  recorded.delete(state);
  for (const key of EVALUATION_STATE_KEYS) state.delete(key);
}

/**
 * Replaces what the state says of one evaluator by its outcome. Without a result its former one is removed.
 * The values are plain JSON objects, new ones each time, so that whoever kept an old one sees no change.
 * @param place `first`: it is the first table; `several`: there is more than one
 */
export function recordOutcome(
  state: StateMap,
  outcome: EvaluationOutcome,
  { first, several }: { first: boolean; several: boolean },
): void {
  const { name, status, reason, durationSeconds, result } = outcome;
  remember(state, outcome);
  put(state, STATUS, with_(read(state, STATUS), name, { status, reason, duration: durationSeconds }));

  // With one table the whole map is this evaluator's: a result under another name is an old one.
  const others = several ? without(read<EvaluationPayload>(state, RESULTS), name) : {};
  const key = several ? name : result?.evaluator;
  put(
    state,
    RESULTS,
    result === null || key === undefined ? others : with_(others, key, structuredClone(result)),
  );

  if (!first) return;
  if (result === null) {
    state.delete(PRIMARY);
    return;
  }
  const primary: EvaluationPrimary = {
    evaluator: result.evaluator,
    metric: result.primary_metric,
    value: result.primary_value,
  };
  state.set(PRIMARY, primary);
}

function remember(state: StateMap, outcome: EvaluationOutcome): void {
  const outcomes = recorded.get(state) ?? new Map<string, EvaluationOutcome>();
  recorded.set(state, outcomes.set(outcome.name, outcome));
}

/** What an evaluator has put in the place of a map, perhaps something that cannot be read, counts for nothing. */
function read<T>(state: StateMap, key: string): Record<string, T> {
  try {
    const value = state.get(key);
    return isPlainObject(value) ? Object.fromEntries(Object.entries(value as Record<string, T>)) : {};
  } catch {
    return {};
  }
}

/** An empty map is no entry at all. */
function put(state: StateMap, key: string, value: Record<string, unknown>): void {
  if (Object.keys(value).length === 0) state.delete(key);
  else state.set(key, value);
}

function without<T>(map: Record<string, T>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => key !== name));
}

/** Names are data: built from entries, `__proto__` is a name like any other. */
function with_<T>(map: Record<string, T>, name: string, value: T): Record<string, T> {
  return Object.fromEntries([...Object.entries(map).filter(([key]) => key !== name), [name, value]]);
}
