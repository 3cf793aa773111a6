/**
 * The printable character that GPT-2's vocabulary writes for each byte (Radford et al. 2019): visible Latin-1
 * characters stand for themselves, the other 68 bytes for U+0100 and up.
 */
const BYTE_CHARACTERS: readonly string[] = characters();

/** The bytes in the order of their characters, which is the order of their ids in GPT-2's vocabulary. */
export const BYTES_BY_CHARACTER: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte).sort(
  (one, other) => BYTE_CHARACTERS[one]!.charCodeAt(0) - BYTE_CHARACTERS[other]!.charCodeAt(0),
);

const BYTE_OF_CHARACTER = new Map(BYTE_CHARACTERS.map((character, byte) => [character, byte]));

/** A token as a byte-level vocabulary writes it. */
export function tokenOfBytes(bytes: Uint8Array): string {
  let token = "";
  for (const byte of bytes) token += BYTE_CHARACTERS[byte];
  return token;
}

/** The bytes of a token of a byte-level vocabulary; absent where a character of it stands for no byte. */
export function bytesOfToken(token: string): Uint8Array | undefined {
  const bytes = new Uint8Array(token.length);
  for (let index = 0; index < token.length; index++) {
    const byte = BYTE_OF_CHARACTER.get(token[index]!);
    if (byte === undefined) return undefined;
    bytes[index] = byte;
  }
  return bytes;
}

function characters(): string[] {
  const visible = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(visible(byte) ? byte : next++));
}
