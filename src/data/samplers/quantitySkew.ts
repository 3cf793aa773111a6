import { z } from "zod";
import { ElenchusError, type Random } from "../../base/index.js";
import type { Dataset } from "../dataset.js";
import { sharedSizes } from "./sharedSizes.js";

/** Keys of samplers whose clients differ in size. */
export const quantityKeys = {
  client_quantity_concentration: z.number().positive().default(1).meta({
    description: "Of the Dirichlet distribution of the clients' shares of the rows: smaller is more uneven.",
  }),
  min_partition_size: z.int().positive().default(100).meta({
    description: "Rows that every client holds at least.",
    unit: "rows",
  }),
};

/**
 * Rows of each client, all rows of the data together: shares from one symmetric Dirichlet distribution over all
 * clients, none below the minimum.
 * @throws DATA_INVALID where the data cannot give every client the minimum
 */
export function skewedSizes(
  keys: z.output<z.ZodObject<typeof quantityKeys>>,
  dataset: Dataset,
  totalClients: number,
  random: Random,
): Int32Array {
  const { client_quantity_concentration: concentration, min_partition_size: minimum } = keys;
  if (minimum * totalClients > dataset.length) {
    const most = Math.floor(dataset.length / totalClients);
    const mend =
      most > 0
        ? `Set data.min_partition_size to at most ${most}, or lower clients.total_clients`
        : "Lower clients.total_clients";
    throw new ElenchusError(
      "DATA_INVALID",
      `data.min_partition_size = ${minimum} for ${totalClients} clients takes ${minimum * totalClients} rows, but there are ${dataset.length}. ${mend}.`,
      { details: { path: ["data", "min_partition_size"] } },
    );
  }
  return sharedSizes(
    dataset.length,
    random.dirichlet(new Array<number>(totalClients).fill(concentration)),
    minimum,
  );
}
