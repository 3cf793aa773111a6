/** A text as a model reads it. */
export interface TokenRow {
  readonly ids: Int32Array;
  /** Per id: 1 where a model must learn to say it. That of the first is never asked for: nothing stands before it. */
  readonly mask: Uint8Array;
}

/** A row, and whose it is. */
export interface OwnedRow extends TokenRow {
  /** Place of the owner in the data set's `groups.names`; 0 where there are none. */
  readonly group: number;
}

/** Whether a row asks a model for anything. */
export function asksSomething({ mask }: TokenRow): boolean {
  return mask.indexOf(1, 1) > 0;
}
