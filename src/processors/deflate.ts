import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { z } from "zod";
import { messageOf, parseOptions } from "../base/index.js";
import { malformed } from "./malformed.js";
import type { ByteProcessor, ProcessorFactory, ProcessorOptions } from "./processor.js";

const schema = z.strictObject({
  level: z.int().min(1).max(9).default(6).meta({ description: "From fast to small." }),
});

/** DEFLATE (RFC 1951), in zlib's threads. */
export const deflate: ProcessorFactory = Object.assign(createDeflate, {
  options: schema,
  bytes: true,
  plato: { outbound: "compress", inbound: "decompress" },
});

const deflateBlock = promisify<Uint8Array, { level: number }, Uint8Array>(deflateRaw);
const inflateBlock = promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(inflateRaw);

function createDeflate(options: ProcessorOptions): ByteProcessor {
  const { level } = parseOptions(schema, options, "[parameters.processors.deflate]");
  return {
    kind: "bytes",
    compress: (block) => deflateBlock(block, { level }),
    async expand(block, bytes) {
      try {
        return await inflateBlock(block, { maxOutputLength: bytes });
      } catch (error) {
        throw malformed(`a block cannot be inflated to ${bytes} bytes: ${messageOf(error)}`);
      }
    },
  };
}
