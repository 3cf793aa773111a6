import { isChoice, type MixEvalRow } from "./mixEvalRow.js";

/**
 * The answer of a base model, which goes on with questions of its own: up to the next example of the five-shot
 * prompt. Whole where nothing but signs stands before it.
 */
export function baseResponse(row: MixEvalRow, response: string): string {
  const head = response.split(isChoice(row) ? "\n\n" : "\n\n\nQuestion")[0]!;
  return /[\p{L}\p{N}]/u.test(head) ? head : response;
}
