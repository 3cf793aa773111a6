/** How much is computed and kept at a time; results do not depend on it. */
export interface PassOptions {
  /**
   * Tokens read in one pass, padding included. Default 512: what is computed of so many is not pushed out of the
   * processor's own memory by the next step. A single row is always read in whole.
   */
  readonly passTokens?: number | undefined;
  /** Tokens whose keys and values are kept at a time. Default 8,192. */
  readonly keptTokens?: number | undefined;
  /** Whether keys and values are kept: what rows share is read once, and no token of an answer twice. Default true. */
  readonly cache?: boolean | undefined;
}
