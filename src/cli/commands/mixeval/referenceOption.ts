import { InvalidArgumentError, Option } from "commander";
import { messageOf } from "../../../base/index.js";

/** An option that names a model: as a text, or in full as a JSON object. */
export function referenceOption(flags: string, description: string): Option {
  return new Option(
    flags,
    `${description} (https://host/v1#MODEL, a folder or repository, RUN@ROUND, or JSON)`,
  ).argParser((text: string): unknown => {
    if (!text.trimStart().startsWith("{")) return text;
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new InvalidArgumentError(`expected a reference or a JSON object: ${messageOf(error)}.`);
    }
  });
}
