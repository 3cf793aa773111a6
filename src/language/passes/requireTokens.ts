import { ElenchusError } from "../../base/index.js";

/**
 * The tokens of a row must be ids of the model's vocabulary: in an array of integers others would become such.
 * @throws DATA_INVALID
 */
export function requireTokens(
  ids: readonly number[],
  row: number,
  { name, vocabularySize }: { readonly name: string; readonly vocabularySize: number },
): void {
  const place = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
  if (place < 0) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `Token ${ids[place]} in row ${row}, place ${place}, is none of the ${vocabularySize} tokens of ${name}. Expected ids from 0 on: use the tokenizer that belongs to the model.`,
  );
}
