import type { TokenEngine } from "../tokenLanguageModel.js";
import { forwardRows } from "./forwardRows.js";
import { generateRows } from "./generateRows.js";
import type { PassLimits } from "./passLimits.js";
import { requireTokens } from "./requireTokens.js";
import { scoreRows } from "./scoreRows.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";

/** How much is computed and kept at a time; results do not depend on it. */
export interface PassOptions {
  /**
   * Tokens read in one pass, padding included. Default 512: what is computed of so many is not pushed out of the
   * processor's own memory by the next step. A single row is always read in whole.
   */
  readonly passTokens?: number;
  /** Tokens whose keys and values are kept at a time. Default 8,192. */
  readonly keptTokens?: number;
  /** Whether keys and values are kept: what rows share is read once, and no token of an answer twice. Default true. */
  readonly cache?: boolean;
}

/** Scores, generates and forwards with whatever reads tokens. */
export function readerEngine<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  options: PassOptions,
): TokenEngine {
  const limits: PassLimits = {
    tokens: options.passTokens ?? 512,
    kept: options.keptTokens ?? 8192,
    cache: options.cache ?? true,
  };
  return {
    contextLength: reader.contextLength,
    async score(rows, signal, onRow) {
      for (const [row, { context, continuation }] of rows.entries()) {
        requireTokens(context, row, reader);
        requireTokens(continuation, row, reader);
      }
      return scoreRows(reader, rows, limits, signal, onRow);
    },
    async generate(rows, signal) {
      for (const [row, { prompt }] of rows.entries()) requireTokens(prompt, row, reader);
      await generateRows(reader, rows, limits, signal);
    },
    async forward(rows, signal) {
      for (const [row, ids] of rows.entries()) requireTokens(ids, row, reader);
      return forwardRows(reader, rows, limits, signal);
    },
    release: async () => reader.release?.(),
  };
}
