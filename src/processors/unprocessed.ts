import type { PayloadStore, ReceivedPayload } from "../protocol/index.js";
import { ELEMENT_BYTES, encodeHeader, padded, type WeightLayout, type Weights } from "../weights/index.js";
import { requireUnprocessed } from "./envelope.js";
import type { Pipeline } from "./pipeline.js";

/**
 * A received payload as plain weights, in the same store: that of a pipeline that processes nothing itself. The caller
 * discards both.
 * @param layout that the weights must have
 * @throws PAYLOAD_INVALID, WEIGHTS_INVALID
 */
export async function unprocessed(
  payload: ReceivedPayload,
  pipeline: Pipeline,
  { layout, reference, store }: { layout: WeightLayout; reference: Weights | undefined; store: PayloadStore },
): Promise<ReceivedPayload> {
  if (!pipeline.processes) {
    await requireUnprocessed(payload);
    return payload;
  }
  const header = encodeHeader(layout);
  const sink = store.sink(header.length + layout.dataBytes);
  try {
    await sink.write(header);
    for await (const { dtype, data } of pipeline.decode(payload, { layout, reference })) {
      const bytes = data.length * ELEMENT_BYTES[dtype];
      await sink.write(new Uint8Array(data.buffer, data.byteOffset, bytes));
      if (padded(bytes) > bytes) await sink.write(new Uint8Array(padded(bytes) - bytes));
    }
    return await sink.finish();
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
