import type { RandomState } from "../../base/index.js";
import {
  type BootstrapInterval,
  type BootstrapPart,
  type BootstrapRequest,
  hasInterval,
  intervalOf,
} from "../aggregation/bootstrap.js";

/** Rows drawn in one part, a fraction of a second: between two parts others get their turn. */
const PART = 10_000_000;

/**
 * As `bootstrapInterval`, a part of the draws at a time.
 * @param draw has a part done elsewhere; the columns are in shared memory, so that nothing is copied
 */
export async function threadedInterval(
  request: BootstrapRequest,
  draw: (part: BootstrapPart) => Promise<{ readonly found: Float64Array; readonly state: RandomState }>,
): Promise<BootstrapInterval | null> {
  if (!hasInterval(request)) return null;
  const { bootstrap } = request.options;
  const columns = request.columns.map(shared);
  const most = Math.max(1, Math.floor(PART / columns[0]!.length));
  const all = new Float64Array(bootstrap);
  let state: RandomState | undefined;
  for (let done = 0; done < bootstrap; ) {
    const part = await draw({ ...request, columns, draws: Math.min(most, bootstrap - done), state });
    all.set(part.found, done);
    done += part.found.length;
    state = part.state;
  }
  return intervalOf(all);
}

function shared(values: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}
