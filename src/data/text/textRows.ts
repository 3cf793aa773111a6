import type { Tokenizer } from "../../tokenizers/index.js";
import { encodeExample, type LabelStrategy } from "./encodeExample.js";
import { cutRows, joinRows, packWhole, truncateRow } from "./packRows.js";
import type { TextExample } from "./textExample.js";
import { asksSomething, type OwnedRow, type TokenRow } from "./tokenRow.js";

/** How examples become rows. */
export interface RowRules {
  /** The most tokens of a row that a model reads. */
  readonly maxLength: number;
  readonly labels: LabelStrategy;
  /** Several examples of one owner share rows. */
  readonly pack: boolean;
}

/**
 * The rows of examples, owner by owner in the order of `owners`, within an owner in the order of the examples.
 * Plain texts are cut into rows, all of an owner's as one text with `pack`; examples of other kinds stay whole and
 * lose what goes beyond a row. A row that asks a model for nothing is left out.
 * @param owners names of the owners; an example without one belongs to the first
 */
export function textRows(
  tokenizer: Tokenizer,
  examples: readonly TextExample[],
  owners: readonly string[],
  rules: RowRules,
): OwnedRow[] {
  const places = new Map(owners.map((name, place) => [name, place]));
  const byOwner = Array.from({ length: Math.max(1, owners.length) }, (): TextExample[] => []);
  for (const example of examples) byOwner[places.get(example.owner ?? "") ?? 0]!.push(example);
  return byOwner.flatMap((own, group) =>
    rowsOf(tokenizer, own, rules)
      .filter(asksSomething)
      .map((row) => ({ ...row, group })),
  );
}

function rowsOf(
  tokenizer: Tokenizer,
  examples: readonly TextExample[],
  { maxLength, labels, pack }: RowRules,
): TokenRow[] {
  const encode = (example: TextExample) => encodeExample(tokenizer, example, labels);
  const plain = examples.filter(({ content }) => content.kind === "text").map(encode);
  const whole = examples.filter(({ content }) => content.kind !== "text").map(encode);
  return [
    ...(pack ? [joinRows(plain)] : plain).flatMap((text) => cutRows(text, maxLength)),
    ...(pack ? packWhole(whole, maxLength) : whole.map((example) => truncateRow(example, maxLength))),
  ];
}
