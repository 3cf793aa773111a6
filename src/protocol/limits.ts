import { z } from "zod";

/** Chunks that may be on their way without an acknowledgement. */
const WINDOW = 8;

/** What the receiving ends of both directions accept; announced by the server in its welcome. */
export const limitsSchema = z.strictObject({
  /** Bytes of one chunk; every chunk but a payload's last has exactly the announced size. */
  chunk_bytes: z.int().positive(),
  /** Chunks without an acknowledgement at a time. */
  window: z.int().positive().max(1024),
  /** Bytes of one payload. */
  payload_bytes: z.int().positive(),
  /** Chunks of one payload. */
  payload_chunks: z.int().positive(),
  /** Bytes of any other message, as JSON. */
  report_bytes: z.int().positive(),
  /** Bytes of all unfinished payloads of one receiving end together. */
  buffered_bytes: z.int().positive(),
  /** Seconds within which a payload must be complete. */
  payload_seconds: z.number().positive(),
});

export type Limits = z.output<typeof limitsSchema>;

/** The keys of the `[server]` table that set the limits. */
export interface LimitSettings {
  readonly max_report_bytes: number;
  readonly max_chunk_bytes: number;
  readonly max_payload_bytes: number;
  readonly max_payload_chunks: number;
  readonly max_buffered_bytes: number;
  readonly payload_timeout: number;
}

/** The limits that a `[server]` table sets. */
export function limitsOf(settings: LimitSettings): Limits {
  return {
    chunk_bytes: settings.max_chunk_bytes,
    window: WINDOW,
    payload_bytes: settings.max_payload_bytes,
    payload_chunks: settings.max_payload_chunks,
    report_bytes: settings.max_report_bytes,
    buffered_bytes: settings.max_buffered_bytes,
    payload_seconds: settings.payload_timeout,
  };
}
