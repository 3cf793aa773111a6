import { ElenchusError } from "../../base/index.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";

/** How much is computed and kept at a time. */
export interface PassLimits {
  /** Tokens read in one pass, padding included. */
  readonly tokens: number;
  /** Tokens whose keys and values are kept at a time. */
  readonly kept: number;
  /** Whether keys and values are kept at all. */
  readonly cache: boolean;
}

/** A pass of its own copies keys and values; for fewer tokens than these, reading them again is as cheap. */
export const LEAST_SHARED = 8;

/** Whether a reader can keep so many tokens of a row. */
export function canKeep(reader: TokenReader<TokenCache>, capacity: number): boolean {
  try {
    reader.createCache(1, capacity).dispose();
    return true;
  } catch (error) {
    if (error instanceof ElenchusError && error.code === "CAPABILITY_MISSING") return false;
    throw error;
  }
}
