import { z } from "zod";
import { bytes, sha256, transferId } from "./fields.js";

/** A payload that is about to come, announced by the message it belongs to. */
export const transferSchema = z
  .strictObject({
    id: transferId,
    bytes,
    chunks: z.int().nonnegative(),
    chunk_bytes: z.int().positive(),
  })
  .refine((transfer) => transfer.chunks === Math.ceil(transfer.bytes / transfer.chunk_bytes), {
    message: "chunks must be bytes / chunk_bytes, rounded up",
  });

export type Transfer = z.output<typeof transferSchema>;

/** What stands beside the bytes of a chunk. */
export const chunkSchema = z.strictObject({
  transfer: transferId,
  /** From 0, without a gap. */
  index: z.int().nonnegative(),
});

export type ChunkHeader = z.output<typeof chunkSchema>;

/** After the last chunk was acknowledged. */
export const transferDoneSchema = z.strictObject({ transfer: transferId, sha256 });

export type TransferDone = z.output<typeof transferDoneSchema>;
