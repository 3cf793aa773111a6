/** Sizes of a nanochat model. */
export interface NanochatShape {
  readonly vocabularySize: number;
  readonly contextLength: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly keyHeads: number;
  /** `L` and `S`, repeated over the layers: the whole context, or a quarter of it, to the left. */
  readonly windowPattern: string;
}
