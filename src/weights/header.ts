import { z } from "zod";
import { ElenchusError, messageOf } from "../base/index.js";
import { layoutFrom, padded, type WeightLayout } from "./layout.js";

/*
 * 0   8 bytes  magic
 * 8   uint32   version
 * 12  uint32   length of the JSON, padding included: a multiple of 8
 * 16  JSON     {"arrays":[{"name","dtype","shape","offset"},...]}, padded with spaces
 *     data     little-endian, row-major, each array on a multiple of 8 of this section, zeros between
 */

/** A byte that is no text, the name, and line ends that a transfer as text would change. */
const MAGIC = Uint8Array.of(0x93, 0x45, 0x4c, 0x57, 0x0d, 0x0a, 0x1a, 0x0a);
const VERSION = 1;
/** Bytes before the JSON. */
const PREFIX_BYTES = 16;
/** Enough for fifty thousand arrays; a reader sets no more aside on a stranger's word. */
const MAX_JSON_BYTES = 8 * 1024 ** 2;

const headerSchema = z.strictObject({
  arrays: z.array(
    z.strictObject({
      name: z.string(),
      dtype: z.enum(["float32", "int32", "uint8"]),
      shape: z.array(z.int().nonnegative()),
      offset: z.int().nonnegative(),
    }),
  ),
});

/**
 * Everything in front of the data, a multiple of 8 bytes.
 * @throws WEIGHTS_INVALID when the names take more than 8 MiB
 */
export function encodeHeader(layout: WeightLayout): Uint8Array {
  const arrays = layout.arrays.map(({ name, dtype, shape, offset }) => ({ name, dtype, shape, offset }));
  const json = Buffer.from(JSON.stringify({ arrays }));
  const jsonBytes = padded(json.length);
  if (jsonBytes > MAX_JSON_BYTES) {
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      `The names and shapes of ${arrays.length} arrays take ${jsonBytes} bytes; at most ${MAX_JSON_BYTES} are allowed.`,
    );
  }
  const header = new Uint8Array(PREFIX_BYTES + jsonBytes).fill(0x20);
  header.set(MAGIC);
  const view = new DataView(header.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, jsonBytes, true);
  header.set(json, PREFIX_BYTES);
  return header;
}

/**
 * Bytes of the whole header, or undefined when `start` does not reach that far yet.
 * @throws PAYLOAD_INVALID when this is no header of ours, as early as it shows
 */
export function headerBytes(start: Uint8Array): number | undefined {
  if (MAGIC.some((byte, index) => index < start.length && start[index] !== byte)) {
    throw invalid("it does not begin with the mark of an Elenchus weights payload");
  }
  if (start.length < PREFIX_BYTES) return undefined;
  const view = new DataView(start.buffer, start.byteOffset, PREFIX_BYTES);
  const version = view.getUint32(8, true);
  if (version !== VERSION) throw invalid(`it has version ${version}; this program reads version ${VERSION}`);
  const jsonBytes = view.getUint32(12, true);
  if (jsonBytes > MAX_JSON_BYTES || jsonBytes % 8 !== 0) {
    throw invalid(
      `its header claims ${jsonBytes} bytes; expected a multiple of 8, at most ${MAX_JSON_BYTES}`,
    );
  }
  return PREFIX_BYTES + jsonBytes;
}

/**
 * The layout that a header describes.
 * @param header exactly the header
 * @throws PAYLOAD_INVALID when it is malformed; WEIGHTS_INVALID when what it describes cannot be weights
 */
export function parseHeader(header: Uint8Array): WeightLayout {
  const found = headerSchema.safeParse(parseJson(header.subarray(PREFIX_BYTES)));
  if (!found.success) {
    const issue = found.error.issues[0]!;
    throw invalid(`its header is malformed at ${issue.path.join(".") || "the top"}: ${issue.message}`);
  }
  const layout = layoutFrom(found.data.arrays);
  for (const [index, { name, offset }] of layout.arrays.entries()) {
    const claimed = found.data.arrays[index]!.offset;
    // One place for each array: none overlaps another, and nothing is hidden between them.
    if (claimed !== offset) throw invalid(`"${name}" is said to lie at ${claimed}; expected ${offset}`);
  }
  return layout;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw invalid(`its header is no JSON: ${messageOf(error).slice(0, 200)}`);
  }
}

function invalid(what: string): ElenchusError {
  return new ElenchusError("PAYLOAD_INVALID", `The payload cannot be read as weights: ${what}.`);
}
