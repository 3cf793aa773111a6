import { readFile } from "node:fs/promises";
import { ElenchusError, messageOf } from "../../base/index.js";

/**
 * Reads a JSON object from a file.
 * @param expected what the file should be part of, for the message
 * @throws INPUT_UNREADABLE
 */
export async function readJson(path: string, expected: string): Promise<object> {
  try {
    const json: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof json === "object" && json !== null && !Array.isArray(json)) return json;
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${path} cannot be read: ${messageOf(error)}. Expected ${expected}.`,
      { cause: error },
    );
  }
  throw new ElenchusError("INPUT_UNREADABLE", `${path} holds no JSON object.`);
}
