import { ElenchusError } from "../../base/index.js";
import type { GraphForm, OnnxNetwork } from "../../models/onnx/index.js";
import { requireTokens } from "../passes/requireTokens.js";
import type { TokenPass } from "../passes/tokenReader.js";
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
  /** Where rows branch: the place in its row of the token that each follows, -1 for what came before. */
  readonly parents: Int32Array | undefined;
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
  { cache, parents: branches }: Pick<TokenPass<KeyValueBuffers>, "cache" | "parents">,
  { name, vocabularySize, network }: ReadingModel,
): Reading {
  const batch = rows.length;
  const own = Int32Array.from(rows, ({ length }) => length);
  const before = cache ? Int32Array.from(cache.lengths) : new Int32Array(batch);
  const totals = Int32Array.from(before);
  const length = Math.max(0, ...own);
  const parents = branches && new Int32Array(batch * length).fill(-1);
  const tokens = new Int32Array(batch * length);
  const positions = new Int32Array(batch * length);
  rows.forEach((ids, row) => {
    requireTokens(ids, row, { name, vocabularySize });
    const start = row * length;
    tokens.set(ids, start);
    for (let place = 0; place < ids.length; place++) {
      const parent = branches?.[row]?.[place] ?? place - 1;
      if (parents) parents[start + place] = parent;
      const position = parent < 0 ? before[row]! : positions[start + parent]! + 1;
      positions[start + place] = position;
      totals[row] = Math.max(totals[row]!, position + 1);
    }
    positions.fill(Math.max(totals[row]! - 1, 0), start + ids.length, start + length);
    requireRoom(totals[row]!, row, name, Math.min(network.longestRow, cache?.capacity ?? Infinity));
  });
  const slots = Math.max(0, ...before);
  const steps = network.cache.headSize % STEP_HEADS === 0 && own.every((count) => count === 1);
  const form = slots > 0 ? (steps ? "step" : "onward") : parents ? "masked" : "whole";
  return { form, batch, length, own, before, totals, slots, tokens, positions, parents };
}

function requireRoom(total: number, row: number, name: string, room: number): void {
  if (total <= room) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `Row ${row} of ${total} tokens is too long for ${name}, which has room for ${room}. Cut the text, or use a model with a longer context.`,
  );
}
