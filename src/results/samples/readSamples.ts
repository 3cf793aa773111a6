import { open } from "node:fs/promises";
import { z } from "zod";
import { ElenchusError, messageOf } from "../../base/index.js";
import type { SampleLine } from "../../evaluators/index.js";

/**
 * The samples of a file, one after the other.
 * @throws RECORD_CORRUPT naming the line that is none
 */
export async function* readSamples(path: string): AsyncGenerator<SampleLine, void, void> {
  const file = await open(path, "r");
  let number = 0;
  try {
    for await (const line of file.readLines({ autoClose: false })) {
      number += 1;
      yield parsed(line, path, number);
    }
  } finally {
    await file.close();
  }
}

function parsed(line: string, path: string, number: number): SampleLine {
  try {
    const value: unknown = JSON.parse(line);
    schema.parse(value);
    return value as SampleLine;
  } catch (error) {
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `Line ${number} of ${path} is no sample: ${messageOf(error)}. Remove the file, or evaluate the round again.`,
      { cause: error, details: { file: path, line: number } },
    );
  }
}

const name = z.union([z.number(), z.string()]);

// Only checked: a rebuilt object would lose a score named `__proto__`.
const schema = z.object({
  evaluator: z.string(),
  task: z.string(),
  doc: name,
  question: name.optional(),
  requests: z.array(z.unknown()),
  answers: z.array(z.unknown()),
  scores: z.custom<object>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((score) => score === null || [score].flat().every(Number.isFinite)),
    "expected numbers by metric",
  ),
});
