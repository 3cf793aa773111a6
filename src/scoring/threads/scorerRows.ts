import { z } from "zod";
import type { RowWork } from "../../base/index.js";
import type { ScorerRow } from "../scorer.js";
import { scorers } from "../scorers.js";

const paramsSchema = z.object({ name: z.string(), params: z.unknown() });

/** In a thread: the rows of a registered scorer. @throws NAME_UNKNOWN; CONFIG_INVALID for params that do not fit */
export async function makeRowWork(given: unknown): Promise<RowWork> {
  const { name, params } = paramsSchema.parse(given);
  const work = scorers.lookup(name).begin!(params ?? {});
  await work.start?.(undefined);
  return (row, index) => work.judge(row as ScorerRow, index, undefined);
}
