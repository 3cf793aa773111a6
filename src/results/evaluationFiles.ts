import { join } from "node:path";
import { ElenchusError, FileNames, fileNamePart, makeFolder, messageOf, writeAtomic } from "../base/index.js";
import type { EvaluationOutcome } from "../evaluators/index.js";
import type { RoundRecord } from "./recordRow.js";
import type { RunFiles } from "./runPaths.js";

/**
 * Writes what a round's evaluators said beyond the row: `<round>-<name>.json` for each, and each artifact as
 * `<round>-<name>-<key>`, text as it is and everything else as JSON. Files of an earlier attempt at the same
 * round are replaced.
 * @throws RESULT_INVALID, before anything is written, when a result cannot be JSON
 */
export async function writeEvaluationFiles(paths: RunFiles, record: RoundRecord): Promise<void> {
  const evaluations = new FileNames();
  const artifacts = new FileNames();
  const files: { path: string; content: string }[] = [];

  for (const outcome of record.evaluations) {
    const stem = `${record.round}-${fileNamePart(outcome.name)}`;
    const content = toJson(evaluationDocument(record.round, outcome), outcome);
    files.push({ path: join(paths.evaluations, evaluations.unused(stem, ".json")), content });
    for (const [key, value] of Object.entries(outcome.result?.artifacts ?? {})) {
      const name = artifacts.unused(`${stem}-${fileNamePart(key)}`);
      files.push({
        path: join(paths.artifacts, name),
        content: typeof value === "string" ? value : toJson(value, outcome),
      });
    }
  }

  if (files.length === 0) return;
  await makeFolder(paths.evaluations);
  await makeFolder(paths.artifacts);
  for (const { path, content } of files) await writeAtomic(path, content);
}

/** `<round>-<name>.json`. */
function evaluationDocument(round: number, outcome: EvaluationOutcome): object {
  return {
    schema: 1,
    round,
    name: outcome.name,
    type: outcome.type,
    status: outcome.status,
    duration_seconds: outcome.durationSeconds,
    error: outcome.error,
    result: outcome.result,
  };
}

function toJson(value: unknown, { name }: EvaluationOutcome): string {
  try {
    const text = JSON.stringify(value, null, 2);
    if (text !== undefined) return `${text}\n`;
  } catch (error) {
    throw notJson(name, messageOf(error), error);
  }
  throw notJson(name, "a value that JSON does not have");
}

function notJson(name: string, found: string, cause?: unknown): ElenchusError {
  return new ElenchusError(
    "RESULT_INVALID",
    `The result of the evaluator "${name}" cannot be written: ${found}. Metadata and artifacts must be plain JSON values.`,
    { cause },
  );
}
