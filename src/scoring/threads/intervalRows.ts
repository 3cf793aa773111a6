import type { RowWork } from "../../base/index.js";
import { type BootstrapPart, bootstrapDraws } from "../aggregation/bootstrap.js";

/** In a thread: each row asks for some draws of an interval. */
export function makeRowWork(): RowWork {
  return (row) => bootstrapDraws(row as BootstrapPart);
}
