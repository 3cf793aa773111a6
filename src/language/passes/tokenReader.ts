/** What reads tokens: a network, on whatever computes it. */
export interface TokenReader<Cache extends TokenCache = TokenCache> {
  /** What it is called in messages. */
  readonly name: string;
  /** The most tokens it reads at once. */
  readonly contextLength: number;
  readonly vocabularySize: number;
  /** Whether it can read rows that branch. */
  readonly branches: boolean;
  /**
   * Room for what it keeps of tokens it has read.
   * @param batch rows
   * @param capacity the most tokens of a row
   * @throws CAPABILITY_MISSING where it cannot keep so many
   */
  createCache(batch: number, capacity: number): Cache;
  /**
   * Reads rows of tokens, of any lengths, and gives out the logits after some of them, place by place in order.
   * @throws DATA_INVALID for a token it does not know or a row that is too long
   */
  read(rows: readonly (readonly number[])[], pass: TokenPass<Cache>): Promise<void>;
  /**
   * Reads rows as `read` does, and gives out how likely tokens come next after some places, in order: of a large
   * vocabulary the logits themselves are much to hand over.
   * @throws as `read`, and WEIGHTS_INVALID for logits that are no numbers
   */
  score(rows: readonly (readonly number[])[], pass: ScorePass<Cache>): Promise<void>;
  /**
   * The logits after every token: [rows, longest row, vocabulary], of no meaning behind the end of a row.
   * @throws as `read`
   */
  forward(rows: readonly (readonly number[])[]): Promise<Float32Array>;
  /** Frees what it holds beside the model; it is made anew when it is needed again. */
  release?(): Promise<void>;
}

/** What a reader keeps of the tokens of some rows. */
export interface TokenCache {
  readonly batch: number;
  /** A new cache with these rows of this one, which stays. */
  select(rows: ArrayLike<number>): this;
  /** A new cache with the rows of this one, then those of others of the same reader; all stay. None is empty. */
  join(...others: readonly this[]): this;
  dispose(): void;
}

/** What rows go on from. */
export interface PassBeginnings<Cache> {
  /** What came before; it then holds these tokens too, unless a row branches. */
  readonly cache?: Cache | undefined;
  /** By row, where it branches, the place in it of the token that each follows; -1 for what came before. */
  readonly parents?: readonly (readonly number[] | undefined)[] | undefined;
}

/** One reading of rows. */
export interface TokenPass<Cache> extends PassBeginnings<Cache> {
  readonly places: readonly Place[];
  /** The logits are its own only during the call. */
  readonly visit: (index: number, logits: Float32Array) => void;
}

/** One scoring of rows. */
export interface ScorePass<Cache> extends PassBeginnings<Cache> {
  readonly places: readonly AskedPlace[];
  readonly visit: (index: number, scores: PlaceScores) => void;
}

/** A place, and the tokens whose probabilities after it are asked for. */
export interface AskedPlace extends Place {
  readonly tokens: readonly number[];
}

/** What may come next after a place. */
export interface PlaceScores {
  /** The most likely token, the first of equals. */
  readonly best: number;
  /** Natural logarithms of the probabilities of the tokens that were asked for. */
  readonly logProbabilities: ArrayLike<number>;
}

/** A place in a batch of rows: row, and token in the row. */
export interface Place {
  readonly row: number;
  readonly token: number;
}
