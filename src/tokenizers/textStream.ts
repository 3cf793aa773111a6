import type { DecodeOptions, Tokenizer } from "./tokenizer.js";

/** Turns ids into text as they come, whole characters only. All it gives out together is `decode` of all ids. */
export interface TextStream {
  /** The characters that these ids complete; perhaps none. */
  push(ids: ArrayLike<number>): string;
  /** What is left: an unfinished character becomes U+FFFD. The stream can be used anew. */
  end(): string;
}

/** A stream of text for the ids of a tokenizer. */
export function createTextStream(tokenizer: Tokenizer, options: DecodeOptions = {}): TextStream {
  return tokenizer.byteLevel ? byteStream(tokenizer, options) : windowStream(tokenizer, options);
}

/** Bytes one behind the other; the decoder keeps those of an unfinished character. */
function byteStream(tokenizer: Tokenizer, { skipSpecialTokens = false }: DecodeOptions): TextStream {
  const specials = new Set(tokenizer.specialIds);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    push(ids) {
      const chunks: Uint8Array[] = [];
      for (let index = 0; index < ids.length; index++) {
        const id = checkedId(ids[index]!);
        if (!specials.has(id)) chunks.push(tokenizer.tokenBytes(id));
        else if (!skipSpecialTokens) chunks.push(Buffer.from(tokenizer.idToToken(id) ?? ""));
      }
      return decoder.decode(Buffer.concat(chunks), { stream: true });
    },
    end: () => decoder.decode(),
  };
}

/**
 * For decoders that look at a token's neighbours (a space before a word, bytes in tokens of their own): decodes
 * the ids given out last together with the new ones, and gives out what the new ones add.
 */
function windowStream(tokenizer: Tokenizer, options: DecodeOptions): TextStream {
  let window: number[] = [];
  let given = 0;
  const advance = (final: boolean): string => {
    const before = tokenizer.decode(window.slice(0, given), options);
    const all = tokenizer.decode(window, options);
    // A replacement character at the end may be half of one that the next token completes.
    if (!final && (all.endsWith("\ufffd") || !all.startsWith(before))) return "";
    // Tokens without text, such as skipped special ones, would make the next word look like the first.
    const latest = window.slice(given);
    if (tokenizer.decode(latest, options) !== "") window = latest;
    given = window.length;
    return all.slice(before.length);
  };
  return {
    push(ids) {
      let text = "";
      for (let index = 0; index < ids.length; index++) {
        window.push(checkedId(ids[index]!));
        text += advance(false);
      }
      return text;
    },
    end() {
      const text = window.length > given ? advance(true) : "";
      window = [];
      given = 0;
      return text;
    },
  };
}

function checkedId(id: number): number {
  if (Number.isInteger(id) && id >= 0) return id;
  throw new RangeError(`A token id is an integer from 0 up, not ${id}.`);
}
