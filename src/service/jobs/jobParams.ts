import { ElenchusError } from "../../base/index.js";
import type { JsonObject } from "../storage/index.js";
import type { JobKind } from "./job.js";

/** What a kind's schema makes of parameters. @throws JOB_PARAMS */
export function parseParams(kind: JobKind, name: string, params: JsonObject): unknown {
  const parsed = kind.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({
    key: path.map(String).join("."),
    message,
  }));
  throw new ElenchusError(
    "JOB_PARAMS",
    `These are no parameters of a job of kind "${name}": ${faults.map(({ key, message }) => `${key || "they"}: ${message}`).join("; ")}.`,
    { details: { faults } },
  );
}
