import { type Limits, limitsOf } from "../../src/protocol/index.js";

/** Small limits, so that a payload of some kilobytes has many chunks. */
export function smallLimits(change: Partial<Limits> = {}): Limits {
  return {
    ...limitsOf({
      max_report_bytes: 4096,
      max_chunk_bytes: 1000,
      max_payload_bytes: 100_000,
      max_payload_chunks: 64,
      max_buffered_bytes: 150_000,
      payload_timeout: 20,
    }),
    window: 4,
    ...change,
  };
}

/** Bytes that differ everywhere. */
export function someBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 255);
}
