import { ElenchusError } from "../../base/index.js";
import type { Partition } from "./sampler.js";

/**
 * Divides the rows of each class among the clients that hold it, in the order of the data and of the clients, sizes
 * differing by one at most. A class that nobody holds is left out.
 * @param classesOf classes of each client, by its place
 * @returns the rows of each client, class after class. @throws DATA_INVALID for a client that is left with none
 */
export function dealtClasses(
  pools: readonly Int32Array[],
  classesOf: readonly (readonly number[])[],
): (clientId: number) => Partition {
  const holders = pools.map(() => 0);
  // Per client: which of a class's holders it is.
  const turns = classesOf.map((classes) => new Map(classes.map((label) => [label, holders[label]!++])));
  return (clientId) => {
    const mine = [...turns[clientId - 1]!].sort(([one], [other]) => one - other);
    const parts = mine.map(([label, turn]) => evenPart(pools[label]!, holders[label]!, turn));
    const rows = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let filled = 0;
    for (const part of parts) {
      rows.set(part, filled);
      filled += part.length;
    }
    if (rows.length === 0) throw nothingLeft(clientId, mine, pools, holders);
    return rows;
  };
}

/** Part `turn` of `parts`; the first ones have one row more where it does not come out even. */
function evenPart(rows: Int32Array, parts: number, turn: number): Int32Array {
  const size = Math.floor(rows.length / parts);
  const longer = rows.length % parts;
  const start = turn * size + Math.min(turn, longer);
  return rows.subarray(start, start + size + (turn < longer ? 1 : 0));
}

function nothingLeft(
  clientId: number,
  mine: readonly [number, number][],
  pools: readonly Int32Array[],
  holders: readonly number[],
): ElenchusError {
  const found = mine.map(
    ([label]) => `class ${label}, ${pools[label]!.length} rows for ${holders[label]} clients`,
  );
  return new ElenchusError(
    "DATA_INVALID",
    `Client ${clientId} would hold nothing of its classes (${found.join("; ")}). Lower clients.total_clients, or raise data.per_client_classes_size.`,
    { details: { path: ["clients", "total_clients"] } },
  );
}
