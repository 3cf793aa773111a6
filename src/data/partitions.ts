import { ElenchusError, inShort, messageOf } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { Dataset, Datasource } from "./dataset.js";
import type { Partition } from "./sampler.js";
import { samplers } from "./samplers.js";
import { testSubset } from "./testSubset.js";

/** What of the configuration decides who holds what. */
export interface PartitionConfig {
  readonly clients: Pick<Config["clients"], "total_clients">;
  readonly data: Config["data"];
}

/** Who holds what: the table of `check --partition`, JSON-able as it stands. */
export interface PartitionTable {
  readonly sampler: string;
  /** Rows of the training set. */
  readonly rows: number;
  /** Different rows that any client holds. */
  readonly held: number;
  /** True when no row is held twice, by two clients or by one. */
  readonly disjoint: boolean;
  readonly clients: readonly {
    client: number;
    samples: number;
    /** Rows of each class; null where there are none. */
    classes: number[] | null;
    /** Names of those whose rows they are; absent where nobody's. */
    groups?: string[];
  }[];
}

/**
 * The rows of `trainset` that one logical client holds.
 * @param clientId from 1 to `clients.total_clients`
 * @throws NAME_UNKNOWN for the sampler, DATA_INVALID when the partition cannot be filled or is no partition
 */
export function clientPartition(config: PartitionConfig, trainset: Dataset, clientId: number): Partition {
  const { data, clients } = config;
  const totalClients = clients.total_clients;
  if (!Number.isInteger(clientId) || clientId < 1 || clientId > totalClients) {
    throw new ElenchusError(
      "DATA_INVALID",
      `Client ${clientId} has no partition: expected a logical client from 1 to clients.total_clients = ${totalClients}.`,
    );
  }
  const sampler = samplers.lookup(data.sampler);
  const partition = sampler.partition({
    dataset: trainset,
    clientId,
    totalClients,
    seed: data.random_seed,
    options: data,
  });
  checkRows(data.sampler, partition, trainset.length, clientId);
  return partition;
}

/**
 * Makes every client's partition and the test subset once, before a run relies on them.
 * @throws DATA_INVALID with every different reason why one cannot be made; `details.faults` has each with the
 *   `path` of the key at fault
 */
export function checkPartitions(config: PartitionConfig, datasource: Datasource): void {
  const reasons = new Map<string, readonly string[]>();
  const attempt = (make: () => unknown) => {
    try {
      make();
    } catch (error) {
      if (!(error instanceof ElenchusError)) throw error;
      const { path } = error.details;
      reasons.set(messageOf(error), Array.isArray(path) ? path : ["data", "sampler"]);
    }
  };
  attempt(() => testSubset(config.data, datasource.testset));
  for (let client = 1; client <= config.clients.total_clients && reasons.size < 5; client++) {
    attempt(() => clientPartition(config, datasource.trainset, client));
  }
  if (reasons.size === 0) return;
  const faults = [...reasons].map(([message, path]) => ({ path, message }));
  throw new ElenchusError("DATA_INVALID", [...reasons.keys()].join(" "), { details: { faults } });
}

/** The table of `check --partition`. @throws DATA_INVALID as `clientPartition` */
export function describePartitions(config: PartitionConfig, datasource: Datasource): PartitionTable {
  const { trainset } = datasource;
  const holders = new Uint32Array(trainset.length);
  const clients = Array.from({ length: config.clients.total_clients }, (_, index) => {
    const partition = clientPartition(config, trainset, index + 1);
    for (const row of partition) holders[row]!++;
    return {
      client: index + 1,
      samples: partition.length,
      ...holdings(trainset, partition),
    };
  });
  return {
    sampler: config.data.sampler,
    rows: trainset.length,
    held: holders.reduce((count, holding) => count + Math.min(holding, 1), 0),
    disjoint: holders.every((holding) => holding <= 1),
    clients,
  };
}

/** The table as text: a line for each client, a column for each class. */
export function formatPartitions(table: PartitionTable): string {
  const [first] = table.clients;
  const classes = first?.classes?.map((_, index) => `class ${index}`) ?? [];
  const owners = first?.groups === undefined ? [] : ["owners"];
  const lines = [
    ["client", "samples", ...classes, ...owners],
    ...table.clients.map((row) =>
      [
        row.client,
        row.samples,
        ...(row.classes ?? []),
        ...(row.groups ? [inShort(row.groups, { most: OWNERS_SHOWN })] : []),
      ].map(String),
    ),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const body = lines.map((line) => line.map((cell, column) => cell.padStart(widths[column]!)).join("  "));
  const overlap = table.disjoint ? "no row is held twice" : "some rows are held more than once";
  return [
    ...body,
    `${table.sampler}: ${table.held} of ${table.rows} training rows are held; ${overlap}`,
  ].join("\n");
}

/** Of text, whose classes are tokens, the owners are told instead. */
function holdings(dataset: Dataset, partition: Partition): { classes: number[] | null; groups?: string[] } {
  const { groups, classes } = dataset;
  if (groups === undefined) return { classes: classes > 0 ? countClasses(dataset, partition) : null };
  const held = new Set(Array.from(partition, (row) => groups.of[row]!));
  return { classes: null, groups: groups.names.filter((_, group) => held.has(group)) };
}

/** Owners that a line of the table names. */
const OWNERS_SHOWN = 3;

function countClasses(dataset: Dataset, partition: Partition): number[] {
  const counts = new Array<number>(dataset.classes).fill(0);
  for (const row of partition) counts[dataset.labels[row]!]!++;
  return counts;
}

/** A sampler from code may give anything. */
function checkRows(sampler: string, partition: unknown, rows: number, clientId: number): void {
  const fault = (found: string) =>
    new ElenchusError(
      "DATA_INVALID",
      `The sampler "${sampler}" gives client ${clientId} ${found}; expected an Int32Array of at least one row from 0 to ${rows - 1}.`,
      { details: { path: ["data", "sampler"] } },
    );
  if (!(partition instanceof Int32Array)) throw fault("something that is no Int32Array");
  if (partition.length === 0) throw fault("no rows");
  const stray = partition.find((row) => row < 0 || row >= rows);
  if (stray !== undefined) throw fault(`row ${stray}`);
}
