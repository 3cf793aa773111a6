import { bytesOfToken } from "./byteAlphabet.js";
import type { TokenizerDocument } from "./tokenizerFiles.js";

/** What the tokens of a vocabulary say as text. */
export interface TokenSurface {
  /** Whether the decoder only puts bytes one behind the other. */
  readonly byteLevel: boolean;
  /** The bytes of text that a token of the vocabulary stands for. */
  bytesOf(token: string): Uint8Array;
  /** Those of them that are looked for in the text: without a space that the decoder adds by rule. */
  searchedAs(token: string): Uint8Array;
}

/** Finds in `tokenizer.json` how its vocabulary writes text: bytes, SentencePiece's space, or WordPiece's `##`. */
export function createTokenSurface(document: TokenizerDocument): TokenSurface {
  const decoders = componentsOf(document.decoder);
  if (decoders.length > 0 && decoders.every(({ type }) => type === "ByteLevel")) {
    const bytesOf = (token: string) => bytesOfToken(token) ?? Buffer.from(token);
    return { byteLevel: true, bytesOf, searchedAs: bytesOf };
  }
  const wordPiece = decoders.find(({ type }) => type === "WordPiece");
  if (wordPiece !== undefined) {
    const prefix = typeof wordPiece.prefix === "string" ? wordPiece.prefix : "##";
    const bare = (token: string) => (token.startsWith(prefix) ? token.slice(prefix.length) : token);
    return {
      byteLevel: false,
      bytesOf: (token) => Buffer.from(token.startsWith(prefix) ? bare(token) : ` ${token}`),
      searchedAs: (token) => Buffer.from(bare(token)),
    };
  }
  return { byteLevel: false, bytesOf: sentencePieceBytes, searchedAs: sentencePieceBytes };
}

/** `▁` is a space, `<0x0A>` a byte. */
function sentencePieceBytes(token: string): Uint8Array {
  const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token);
  return byte === null
    ? Buffer.from(token.replaceAll("\u2581", " "))
    : Uint8Array.of(Number.parseInt(byte[1]!, 16));
}

interface Component {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A component, or the members of a sequence of them. */
function componentsOf(component: Component | null | undefined): Component[] {
  if (component === null || component === undefined) return [];
  if (component.type !== "Sequence" || !Array.isArray(component.decoders)) return [component];
  return component.decoders as Component[];
}
