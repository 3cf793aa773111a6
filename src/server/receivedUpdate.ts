import type { CheckedContents, NonFinitePolicy } from "../algorithms/index.js";
import { ElenchusError, messageOf } from "../base/index.js";
import { type Pipeline, unprocessed } from "../processors/index.js";
import type { PayloadStore, ReceivedPayload } from "../protocol/index.js";
import type { Weights } from "../weights/index.js";
import { type CheckedUpdate, checkUpdate, refusalFor } from "./updateCheck.js";

/** What a received update is checked with. */
export interface ReceivedUpdateOptions {
  /** What the client has done with its update. */
  readonly pipeline: Pipeline;
  /** The global weights as the client has them, where the pipeline needs them. */
  readonly reference: Weights | undefined;
  /** Where the update goes once its processors are undone. */
  readonly store: PayloadStore;
  readonly expected: CheckedContents;
  readonly policy: NonFinitePolicy;
}

/**
 * Undoes the processors of an update and checks it. A good one takes the payload's place, and frees it; of one that is
 * not, nothing is left but the payload.
 */
export async function checkReceived(
  payload: ReceivedPayload,
  { pipeline, reference, store, expected, policy }: ReceivedUpdateOptions,
): Promise<CheckedUpdate> {
  let plain: ReceivedPayload;
  try {
    plain = await unprocessed(payload, pipeline, { layout: expected.layout, reference, store });
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    return { good: false, code: refusalFor(error), message: messageOf(error) };
  }
  if (plain === payload) return checkUpdate(payload, expected, policy);
  await payload.discard();
  const checked = await checkUpdate(plain, expected, policy);
  if (!checked.good) await plain.discard();
  return checked;
}
