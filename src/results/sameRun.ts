import { isDeepStrictEqual } from "node:util";
import { ElenchusError } from "../base/index.js";

/** Tables and keys that decide a run's numbers: its model, data, algorithm and seeds. */
const DECISIVE = [
  "trainer.model_name",
  "trainer.model_type",
  "parameters.model",
  "data",
  "clients.total_clients",
  "algorithm",
];
/** Where data lie does not decide what they are. */
const EXCEPT = ["data.data_path"];

/**
 * Demands that a run goes on with the model, data, algorithm and seeds it began with.
 * @param recorded the configuration in `run.json`
 * @param current the resolved configuration
 * @throws RESUME_REFUSED naming each key that differs, with both values
 */
export function requireSameRun(recorded: unknown, current: unknown): void {
  const before = leaves(recorded);
  const now = leaves(current);
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (key) => isDecisive(key) && !isDeepStrictEqual(before.get(key), now.get(key)),
  );
  if (changed.length === 0) return;
  const shown = changed.map((key) => `${key} was ${text(before.get(key))} and is ${text(now.get(key))}`);
  throw new ElenchusError(
    "RESUME_REFUSED",
    `The run cannot go on with another configuration: ${shown.join("; ")}. Restore what it began with, or start a new run.`,
    { details: { keys: changed } },
  );
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
  return value === undefined ? "absent" : JSON.stringify(value);
}
