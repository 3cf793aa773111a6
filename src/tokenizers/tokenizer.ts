/** The part a special token plays. A tokenizer may have none for a part. */
export interface SpecialTokens {
  /** Begin of a text. */
  readonly bos: number | undefined;
  /** End of a text. */
  readonly eos: number | undefined;
  /** Fills a batch; no part of a text. */
  readonly pad: number | undefined;
  /** Stands for what the vocabulary cannot say. */
  readonly unk: number | undefined;
}

/** How a text becomes ids. */
export interface EncodeOptions {
  /** Adds what the tokenizer puts around a text, a begin token for example. Default false: the text and nothing more. */
  readonly addSpecialTokens?: boolean;
  /**
   * What the name of a special token inside the text means. `parse` (default): that token. `text`: ordinary
   * characters; for texts that must not be able to place such a token.
   */
  readonly specialTokens?: "parse" | "text";
}

/** How ids become a text. */
export interface DecodeOptions {
  /** Leaves special tokens out. Default false. */
  readonly skipSpecialTokens?: boolean;
}

/** Ids, and what part of the text each stands for. */
export interface Encoding {
  readonly ids: number[];
  /**
   * Per id: first UTF-16 unit and the one behind the last. Tokens that share a character each span the whole
   * character; an added token spans nothing.
   */
  readonly offsets: (readonly [start: number, end: number])[];
}

/** Texts to ids and back. Nothing in it changes after it is made. */
export interface Tokenizer {
  /** Number of rows an embedding needs: the largest id and one. */
  readonly vocabularySize: number;
  readonly special: SpecialTokens;
  /** Every id that stands for no text, by rising id. */
  readonly specialIds: readonly number[];
  /** The chat template (Jinja) that came with the tokenizer. */
  readonly chatTemplate: string | undefined;
  /** The file that it came from, for messages. */
  readonly chatTemplateFile?: string | undefined;
  /**
   * True: `decode` gives the UTF-8 text of all `tokenBytes` one behind the other (special tokens by name), and a
   * tokenizer that does not normalise gives every text back. False: spaces and characters are changed on the way,
   * and bytes per token are the best account of them.
   */
  readonly byteLevel: boolean;

  encode(text: string, options?: EncodeOptions): number[];
  encodeWithOffsets(text: string, options?: EncodeOptions): Encoding;
  /** The text of ids. An id that has no token stands for nothing: embeddings are often padded beyond the vocabulary. */
  decode(ids: ArrayLike<number>, options?: DecodeOptions): string;
  /** The bytes of text that a token stands for; none for a special token. Perhaps a part of a character. */
  tokenBytes(id: number): Uint8Array;
  /** Id of a token as the vocabulary writes it. */
  tokenToId(token: string): number | undefined;
  idToToken(id: number): string | undefined;
}
