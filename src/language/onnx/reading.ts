import { ElenchusError } from "../../base/index.js";
import type { GraphForm, OnnxNetwork } from "../../models/onnx/index.js";
import type { KeyValueBuffers } from "./keyValueBuffers.js";

/** Heads that the operation for one token a row can take have a multiple of so many numbers. */
const STEP_HEADS = 8;

/** What is read in one pass: rows, padded at the end, and where they go on from. */
export interface Reading {
  readonly form: GraphForm;
  readonly batch: number;
  /** Tokens of the longest row. */
  readonly length: number;
  /** New tokens of each row. */
  readonly own: Int32Array;
  /** Tokens of each row that came before. */
  readonly before: Int32Array;
  readonly totals: Int32Array;
  /** Tokens before of the row that has most. */
  readonly slots: number;
  /** [batch, length], padding 0. */
  readonly tokens: Int32Array;
  /** [batch, length]; padding has the place of the row's last token, which the model certainly has. */
  readonly positions: Int32Array;
}

/** The model that reads. */
export interface ReadingModel {
  readonly name: string;
  readonly vocabularySize: number;
  readonly network: OnnxNetwork;
}

/** @throws DATA_INVALID for a token that the model does not know, and rows that are too long for it or the cache */
export function planReading(
  rows: readonly (readonly number[])[],
  cache: KeyValueBuffers | undefined,
  { name, vocabularySize, network }: ReadingModel,
): Reading {
  const batch = rows.length;
  const own = Int32Array.from(rows, ({ length }) => length);
  const before = cache ? Int32Array.from(cache.lengths) : new Int32Array(batch);
  const totals = own.map((count, row) => before[row]! + count);
  const length = Math.max(0, ...own);
  const tokens = new Int32Array(batch * length);
  const positions = new Int32Array(batch * length);
  rows.forEach((ids, row) => {
    requireKnown(ids, row, name, vocabularySize);
    requireRoom(totals[row]!, row, name, Math.min(network.longestRow, cache?.capacity ?? Infinity));
    const last = Math.max(totals[row]! - 1, 0);
    for (let place = 0; place < length; place++) {
      tokens[row * length + place] = ids[place] ?? 0;
      positions[row * length + place] = Math.min(before[row]! + place, last);
    }
  });
  const slots = Math.max(0, ...before);
  const steps = network.cache.headSize % STEP_HEADS === 0 && own.every((count) => count === 1);
  const form = slots === 0 ? "whole" : steps ? "step" : "onward";
  return { form, batch, length, own, before, totals, slots, tokens, positions };
}

function requireKnown(ids: readonly number[], row: number, name: string, vocabularySize: number): void {
  const at = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
  if (at < 0) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `Token ${ids[at]} in row ${row}, place ${at}, is none of the ${vocabularySize} tokens of ${name}. Expected ids from 0 on: use the tokenizer that belongs to the model.`,
  );
}

function requireRoom(total: number, row: number, name: string, room: number): void {
  if (total <= room) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `Row ${row} of ${total} tokens is too long for ${name}, which has room for ${room}. Cut the text, or use a model with a longer context.`,
  );
}
