import { ElenchusError } from "../../base/index.js";
import type { Answer } from "./endpointPost.js";

/** More than any answer has, and less than would fill the memory. */
const MOST_BYTES = 2 ** 26;

/** What the reader of an answer is told. */
export interface BodyListener {
  /** A piece has come. */
  heard(): void;
  /** What is thrown for a connection that fails. */
  failed(error: unknown): Error;
}

/** The bytes of an answer as they come. @throws ENDPOINT_INVALID beyond 64 MiB */
export async function* responseBytes(
  { body }: Answer,
  { heard, failed }: BodyListener,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      heard();
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw tooLong();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ElenchusError ? error : failed(error);
  }
}

/** All bytes as text. */
export async function wholeText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLong(): ElenchusError {
  return new ElenchusError(
    "ENDPOINT_INVALID",
    `The endpoint's answer is longer than ${MOST_BYTES} bytes. Expected one answer of OpenAI's protocol: check the address.`,
  );
}
