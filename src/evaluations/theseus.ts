/** Tokens that are scored after others. */
export interface Targets {
  readonly context: readonly number[];
  readonly continuation: readonly number[];
}

/**
 * What Theseus scores of a continuation: its tokens from the second on, and after all of them the token 0, which
 * no text asked for. Its mask begins at the place that reads the continuation's first token, where the second is
 * foretold, and the last place's target is left at 0.
 * @param ids tokens of the whole text, cut to the block size
 * @param prefixLength tokens of the prefix by itself
 * @returns undefined where nothing is scored
 */
export function theseusTargets(ids: readonly number[], prefixLength: number): Targets | undefined {
  if (prefixLength >= ids.length) return undefined;
  return { context: ids.slice(0, prefixLength + 1), continuation: [...ids.slice(prefixLength + 1), 0] };
}
