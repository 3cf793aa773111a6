import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { messageOf, onePerProcess, parseOptions } from "../base/index.js";
import { malformed } from "./malformed.js";
import type { ByteProcessor, ProcessorFactory, ProcessorOptions } from "./processor.js";

const schema = z.strictObject({
  level: z.int().min(1).max(19).default(3).meta({ description: "From fast to small." }),
});

/**
 * Zstandard (RFC 8878). WebAssembly on every version of Node, also on those with a library of their own, so that the
 * same payload has the same number of bytes everywhere.
 */
export const zstd: ProcessorFactory = Object.assign(createZstd, {
  options: schema,
  bytes: true,
  plato: { outbound: "model_compress", inbound: "model_decompress" },
});

function createZstd(options: ProcessorOptions): ByteProcessor {
  const { level } = parseOptions(schema, options, "[parameters.processors.zstd]");
  return {
    kind: "bytes",
    async compress(block) {
      const { compress } = await library();
      // It works in this thread: heart beats get their turn between blocks.
      await setImmediate();
      return compress(block, level);
    },
    async expand(block, bytes) {
      const { decompress } = await library();
      await setImmediate();
      // The library sets aside what the frame claims.
      const claimed = contentSize(block);
      if (claimed !== bytes)
        throw malformed(`a frame claims ${claimed ?? "no number of"} bytes; expected ${bytes}`);
      try {
        return decompress(block);
      } catch (error) {
        throw malformed(`a frame of ${bytes} bytes is damaged: ${messageOf(error)}`);
      }
    },
  };
}

function library() {
  return onePerProcess("zstd", async () => {
    const loaded = await import("@bokuweb/zstd-wasm");
    await loaded.init();
    return loaded;
  });
}

const MAGIC = 0xfd2f_b528;

/** Bytes that a frame says it holds (RFC 8878, 3.1.1.1); undefined where it says none, or is no frame. */
function contentSize(frame: Uint8Array): number | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 6 || view.getUint32(0, true) !== MAGIC) return undefined;
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const start = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6]!;
  if (sizeBytes === 0 || start + sizeBytes > frame.length) return undefined;
  if (sizeBytes === 1) return view.getUint8(start);
  if (sizeBytes === 2) return view.getUint16(start, true) + 256;
  return sizeBytes === 4 ? view.getUint32(start, true) : Number(view.getBigUint64(start, true));
}
