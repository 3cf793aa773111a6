import {
  type ByteSource,
  encodeHeader,
  headerBytes,
  padded,
  parseHeader,
  type WeightLayout,
} from "../weights/index.js";
import type { ByteReader } from "./byteReader.js";
import { malformed } from "./malformed.js";

/*
 * 0   8 bytes  magic
 * 8   uint32   version
 * 12  uint32   length of the text, padding included: a multiple of 8
 * 16  text     the processors with their options, as JSON, padded with spaces
 *     header   of the weights as they are without processors
 *     data     what the processors made of them
 */

const MAGIC = Uint8Array.of(0x93, 0x45, 0x4c, 0x50, 0x0d, 0x0a, 0x1a, 0x0a);
const VERSION = 1;
const PREFIX_BYTES = 16;
const MAX_TEXT_BYTES = 64 * 1024;

/** What stands in front of processed weights. @param signature of the pipeline */
export function encodeEnvelope(signature: string, layout: WeightLayout): Uint8Array[] {
  const text = Buffer.from(signature);
  const start = new Uint8Array(PREFIX_BYTES + padded(text.length)).fill(0x20);
  start.set(MAGIC);
  const view = new DataView(start.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, padded(text.length), true);
  start.set(text, PREFIX_BYTES);
  return [start, encodeHeader(layout)];
}

/**
 * The layout of the weights without processors.
 * @param signature of the receiver's own pipeline: nothing is undone on a stranger's word
 * @throws PAYLOAD_INVALID, WEIGHTS_INVALID
 */
export async function readEnvelope(reader: ByteReader, signature: string): Promise<WeightLayout> {
  const prefix = await reader.take(PREFIX_BYTES);
  if (!isMagic(prefix)) throw malformed(`it was not processed; expected ${signature}. ${MEND}`);
  const view = new DataView(prefix.buffer);
  const version = view.getUint32(8, true);
  if (version !== VERSION)
    throw malformed(`it has version ${version}; this program reads version ${VERSION}`);
  const length = view.getUint32(12, true);
  if (length > MAX_TEXT_BYTES || length % 8 !== 0) {
    throw malformed(
      `its processors claim ${length} bytes; expected a multiple of 8, at most ${MAX_TEXT_BYTES}`,
    );
  }
  const found = Buffer.from(await reader.take(length))
    .toString()
    .trimEnd();
  if (found !== signature) {
    throw malformed(`it was processed by ${found.slice(0, 200)}; expected ${signature}. ${MEND}`);
  }
  const start = await reader.take(PREFIX_BYTES);
  const rest = await reader.take(headerBytes(start)! - PREFIX_BYTES);
  return parseHeader(Buffer.concat([start, rest]));
}

/**
 * Looks whether a payload was processed where nothing undoes it.
 * @throws PAYLOAD_INVALID when it was
 */
export async function requireUnprocessed(source: ByteSource): Promise<void> {
  for await (const piece of source.read()) {
    if (!isMagic(piece)) return;
    throw malformed(`it was processed and no processors are expected. ${MEND}`);
  }
}

const MEND =
  "Give both ends the same clients.outbound_processors, server.outbound_processors and [parameters.processors]";

function isMagic(start: Uint8Array): boolean {
  return MAGIC.every((byte, index) => start[index] === byte);
}
