import {
  type CheckedContents,
  checkFinite,
  type NonFinitePolicy,
  readScalars,
  type WeightSource,
} from "../algorithms/index.js";
import { ElenchusError, messageOf } from "../base/index.js";
import type { RefusalCode } from "../protocol/index.js";
import { readLayout, requireSameLayout } from "../weights/index.js";

/** An update that may be aggregated, or why it may not. */
export type CheckedUpdate =
  | {
      readonly good: true;
      readonly source: WeightSource;
      readonly finite: boolean;
      readonly scalars: ReadonlyMap<string, number>;
    }
  | { readonly good: false; readonly code: RefusalCode; readonly message: string };

/** Checks that an update has the arrays that the algorithm wants, and holds finite numbers within their ranges. */
export async function checkUpdate(
  source: WeightSource,
  expected: CheckedContents,
  policy: NonFinitePolicy,
): Promise<CheckedUpdate> {
  try {
    const layout = await readLayout(source);
    requireSameLayout(layout, expected.layout);
    const checked = await checkFinite(source, layout, policy);
    return { good: true, ...checked, scalars: await readScalars(checked.source, layout, expected) };
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    return { good: false, code: refusalFor(error), message: messageOf(error) };
  }
}

/** What a client is told of an update that cannot be taken. */
export function refusalFor(error: ElenchusError): RefusalCode {
  const { refusal } = error.details;
  if (refusal === "not_finite" || refusal === "out_of_range") return refusal;
  return error.code === "WEIGHTS_INVALID" ? "wrong_layout" : "corrupt";
}
