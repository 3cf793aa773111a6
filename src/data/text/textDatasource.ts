import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { ElenchusError, parseOptions, silentLogger, systemClock } from "../../base/index.js";
import { type HubEnvironment, hubSettings } from "../../hub/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { chooseTokenizer } from "./chooseTokenizer.js";
import type { LabelStrategy } from "./encodeExample.js";
import { keptRows } from "./keptRows.js";
import { TextDataset } from "./textDataset.js";
import { type TextExample, wordsOf } from "./textExample.js";
import { rowLength, textKeys, tokenizerKeys } from "./textKeys.js";
import { type RowRules, textRows } from "./textRows.js";
import type { OwnedRow } from "./tokenRow.js";

/** Examples to train on and to test on. */
export interface TextParts {
  readonly train: readonly TextExample[];
  readonly test: readonly TextExample[];
  /** What the data is called in messages: a file, a corpus. */
  readonly name: string;
  /** Default `all`. */
  readonly labels?: LabelStrategy;
}

/**
 * Makes the data sets of a federation from examples: chooses the tokenizer, encodes, cuts and packs. Owners are
 * those of the examples that leave a row, in the order in which they come.
 * @throws DATA_INVALID where nothing is left to train or to test on; what `chooseTokenizer` throws
 */
export async function textDatasource(parts: TextParts, request: DatasourceRequest): Promise<Datasource> {
  const { train, test, name, labels = "all" } = parts;
  const options = parseOptions(z.looseObject(textKeys), request.options, "[data] of text");
  const { key, ...named } = tokenizerOf(request);
  const { tokenizer, identity, folder } = await chooseTokenizer({
    ...named,
    vocabularySize: options.vocab_size,
    texts: () => words(train),
    dataPath: request.dataPath,
    hub: hubOf(request),
  }).catch((error: unknown) => {
    throw atKey(error, ["trainer", key]);
  });
  const rules: RowRules = {
    maxLength: rowLength(options.max_seq_length, request.parameters?.model),
    labels,
    pack: options.pack_sequences,
  };
  const dataset = async (examples: readonly TextExample[], purpose: string) => {
    const owners = ownersOf(examples);
    const make = () => textRows(tokenizer, examples, owners, rules);
    const key = JSON.stringify([rules, owners, identity]);
    const rows =
      lengthOf(examples) < KEPT_FROM
        ? make()
        : await keptRows(join(request.dataPath, "tokens", `${digestOf(key, examples)}.rows`), make);
    if (rows.length === 0) throw nothingLeft(name, purpose, examples.length);
    return new TextDataset({
      ...withHolders(rows, owners),
      maxLength: rules.maxLength,
      vocabularySize: tokenizer.vocabularySize,
      padId: tokenizer.special.pad ?? tokenizer.special.eos ?? 0,
    });
  };
  return {
    trainset: await dataset(train, "train"),
    testset: await dataset(test, "test"),
    tokenizer,
    tokenizerFolder: folder,
  };
}

/** Characters of text from which on its tokens are kept in a file; less is encoded before a file is written. */
const KEPT_FROM = 500_000;

function lengthOf(examples: readonly TextExample[]): number {
  let length = 0;
  for (const text of words(examples)) length += text.length;
  return length;
}

/** Of all that decides the rows. The first number is that of this way of making them. */
function digestOf(key: string, examples: readonly TextExample[]): string {
  const digest = createHash("sha256").update(`1 ${key}`);
  for (const { content, owner } of examples) digest.update(JSON.stringify([content, owner]));
  return digest.digest("hex").slice(0, 32);
}

/** The hub as the caller gives it, else as the environment says. */
export function hubOf({ hub }: DatasourceRequest): HubEnvironment {
  return hub ?? { settings: hubSettings(process.env), logger: silentLogger, clock: systemClock };
}

/** A published model brings its tokenizer along, unless another one is named. */
function tokenizerOf({ trainer = {} }: DatasourceRequest): {
  name: string;
  revision?: string | undefined;
  /** The key that gives the name. */
  key: string;
} {
  const keys = parseOptions(
    z
      .looseObject({
        ...tokenizerKeys,
        model_name: z.string(),
        model_type: z.string(),
        model_revision: z.string(),
      })
      .partial(),
    trainer,
    "[trainer] for text",
  );
  const published = keys.model_type === "huggingface" ? keys.model_name : undefined;
  return {
    key: keys.tokenizer_name === undefined && published !== undefined ? "model_name" : "tokenizer_name",
    name: keys.tokenizer_name ?? published ?? "bpe",
    revision:
      keys.tokenizer_revision ?? (keys.tokenizer_name === undefined ? keys.model_revision : undefined),
  };
}

/** The same error with the key that is at fault, unless it names one. */
export function atKey(error: unknown, path: readonly string[]): unknown {
  if (!(error instanceof ElenchusError) || error.details.path !== undefined) return error;
  return new ElenchusError(error.code, error.message, {
    cause: error.cause,
    details: { ...error.details, path },
  });
}

/** Owners of whom a row is left. One without would make a client that holds nothing. */
function withHolders(rows: readonly OwnedRow[], owners: readonly string[]) {
  if (owners.length === 0) return { rows };
  const holders = new Set(rows.map(({ group }) => group));
  const held = owners.flatMap((_, owner) => (holders.has(owner) ? owner : []));
  const places = new Map(held.map((owner, place) => [owner, place]));
  return {
    rows: rows.map((row) => ({ ...row, group: places.get(row.group)! })),
    groupNames: held.map((owner) => owners[owner]!),
  };
}

function ownersOf(examples: readonly TextExample[]): string[] {
  return [...new Set(examples.flatMap(({ owner }) => owner ?? []))];
}

function* words(examples: readonly TextExample[]): Generator<string> {
  for (const example of examples) yield* wordsOf(example);
}

function nothingLeft(name: string, purpose: string, examples: number): ElenchusError {
  const found =
    examples === 0
      ? "no text is left"
      : `none of its ${examples} texts leaves a model anything to say once it is cut to the length of a row`;
  return new ElenchusError(
    "DATA_INVALID",
    `${name} has nothing to ${purpose} on: ${found}. Give more text, raise data.max_seq_length, or change data.validation_fraction or the names of the splits.`,
    { details: { path: ["data", "datasource"] } },
  );
}
