import { isDeepStrictEqual } from "node:util";
import { ElenchusError } from "../base/index.js";

/** Tables and keys that decide a run's numbers: its model, data, algorithm and seeds. */
const DECISIVE = [
  "trainer.model_name",
  "trainer.model_type",
  "trainer.model_revision",
  "trainer.trainable",
  "trainer.tokenizer_name",
  "trainer.tokenizer_revision",
  "parameters.model",
  "parameters.lora",
  "data",
  "clients.total_clients",
  "clients.proximal_term_penalty_constant",
  "algorithm",
  "server.type",
  "server.diloco",
];
/** Where data lie does not decide what they are. */
const EXCEPT = ["data.data_path"];

/** A key that has another value than before; null where it is absent. */
export interface ChangedKey {
  readonly key: string;
  readonly was: unknown;
  readonly is: unknown;
}

/**
 * Demands that a run goes on with the model, data, algorithm and seeds it began with.
 * @param recorded the configuration in `run.json`
 * @param current the resolved configuration
 * @returns the other keys that differ: the run may go on, but its later rows are made otherwise
 * @throws RESUME_REFUSED naming each key that must not differ, with both values
 */
export function requireSameRun(recorded: unknown, current: unknown): ChangedKey[] {
  const changed = changedKeys(recorded, current);
  const decisive = changed.filter(({ key }) => isDecisive(key));
  if (decisive.length === 0) return changed;
  throw new ElenchusError(
    "RESUME_REFUSED",
    `The run cannot go on with another configuration: ${decisive.map(changeText).join("; ")}. Restore what it began with, or start a new run.`,
    { details: { keys: decisive.map(({ key }) => key) } },
  );
}

/** The keys in which two configurations differ. */
export function changedKeys(recorded: unknown, current: unknown): ChangedKey[] {
  const before = leaves(recorded);
  const now = leaves(current);
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((key) => key !== "server.token" && !isDeepStrictEqual(before.get(key), now.get(key)))
    .map((key) => ({ key, was: before.get(key) ?? null, is: now.get(key) ?? null }));
}

/** For example `trainer.epochs was 1 and is 2`. */
export function changeText({ key, was, is }: ChangedKey): string {
  return `${key} was ${text(was)} and is ${text(is)}`;
}

function isDecisive(key: string): boolean {
  if (EXCEPT.includes(key)) return false;
  return key.endsWith(".random_seed") || DECISIVE.some((one) => key === one || key.startsWith(`${one}.`));
}

/** Values by dotted key; a list is one value. */
function leaves(value: unknown, key = "", found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [name, inner] of Object.entries(value))
      leaves(inner, key === "" ? name : `${key}.${name}`, found);
  } else if (value !== undefined) {
    found.set(key, value);
  }
  return found;
}

function text(value: unknown): string {
  return value === null ? "absent" : JSON.stringify(value);
}
