import type { RowWork } from "../../base/index.js";
import { type BootstrapRequest, bootstrapInterval } from "../aggregation/bootstrap.js";

/** In a thread: each row asks for an interval. */
export function makeRowWork(): RowWork {
  return (row) => bootstrapInterval(row as BootstrapRequest);
}
