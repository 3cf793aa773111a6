import { ElenchusError } from "../base/index.js";

/**
 * The tokens of a tiktoken rank file: a line per token, its bytes in base64, a space, its rank, which is its id.
 * @returns bytes per id
 * @throws INPUT_UNREADABLE naming the line
 */
export function parseRankFile(text: string, name: string): (Uint8Array | undefined)[] {
  const tokens: (Uint8Array | undefined)[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === "") return;
    const match = /^([A-Za-z0-9+/]+={0,2}) (\d{1,7})$/.exec(line.trim());
    const rank = Number(match?.[2]);
    const mend = "Expected the token in base64, a space and its rank; fetch the file anew.";
    if (match === null) {
      throw new ElenchusError("INPUT_UNREADABLE", `${name}, line ${index + 1}, is no rank. ${mend}`);
    }
    if (tokens[rank] !== undefined) {
      throw new ElenchusError(
        "INPUT_UNREADABLE",
        `${name}, line ${index + 1}, gives the rank ${rank} a second time. ${mend}`,
      );
    }
    while (tokens.length < rank) tokens.push(undefined);
    tokens[rank] = new Uint8Array(Buffer.from(match[1]!, "base64"));
  });
  if (tokens.length === 0) {
    throw new ElenchusError("INPUT_UNREADABLE", `${name} holds no tokens. Expected a tiktoken rank file.`);
  }
  return tokens;
}

/** A rank file of tokens. */
export function formatRankFile(tokens: readonly (Uint8Array | undefined)[]): string {
  return tokens
    .flatMap((bytes, rank) =>
      bytes === undefined ? [] : `${Buffer.from(bytes).toString("base64")} ${rank}\n`,
    )
    .join("");
}
