import { inShort } from "../base/index.js";
import type { Dataset, Datasource } from "./dataset.js";
import { type PartitionConfig, partitioner } from "./partitions.js";
import type { Partition } from "./samplers/sampler.js";

/** Who holds what: the table of `check --partition`, JSON-able as it stands. */
export interface PartitionTable {
  readonly sampler: string;
  /** Rows of the training set. */
  readonly rows: number;
  /** Different rows that any client holds. */
  readonly held: number;
  /** True when no row is held twice, by two clients or by one. */
  readonly disjoint: boolean;
  /** What the classes are called, where that is known. */
  readonly class_names?: readonly string[];
  readonly clients: readonly {
    client: number;
    samples: number;
    /** Rows of each class; null where there are none. */
    classes: number[] | null;
    /** Names of those whose rows they are; absent where nobody's. */
    groups?: string[];
    /** The parts of an input that it has; absent where every client has all. */
    modalities?: string[];
  }[];
}

/** The table of `check --partition`. @throws DATA_INVALID as `clientPartition` */
export function describePartitions(config: PartitionConfig, datasource: Datasource): PartitionTable {
  const { trainset } = datasource;
  const holders = new Uint32Array(trainset.length);
  const partOf = partitioner(config, trainset);
  const clients = Array.from({ length: config.clients.total_clients }, (_, index) => {
    const { indices, modalities } = partOf(index + 1);
    for (const row of indices) holders[row]!++;
    return {
      client: index + 1,
      samples: indices.length,
      ...holdings(trainset, indices),
      ...(modalities && { modalities: [...modalities] }),
    };
  });
  return {
    sampler: config.data.sampler,
    rows: trainset.length,
    held: holders.reduce((count, holding) => count + Math.min(holding, 1), 0),
    disjoint: holders.every((holding) => holding <= 1),
    ...(trainset.classNames && { class_names: trainset.classNames }),
    clients,
  };
}

/** The table as text: a line for each client, a column for each class. */
export function formatPartitions(table: PartitionTable): string {
  const [first] = table.clients;
  const classes = first?.classes?.map((_, index) => table.class_names?.[index] ?? `class ${index}`) ?? [];
  const owners = first?.groups === undefined ? [] : ["owners"];
  const modalities = first?.modalities === undefined ? [] : ["modalities"];
  const lines = [
    ["client", "samples", ...classes, ...owners, ...modalities],
    ...table.clients.map((row) =>
      [
        row.client,
        row.samples,
        ...(row.classes ?? []),
        ...(row.groups ? [inShort(row.groups, { most: OWNERS_SHOWN })] : []),
        ...(row.modalities ? [row.modalities.join(", ")] : []),
      ].map(String),
    ),
  ];
  const widths = lines[0]!.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]!.length), 0),
  );
  const body = lines.map((line) => line.map((cell, column) => cell.padStart(widths[column]!)).join("  "));
  const overlap = table.disjoint ? "no row is held twice" : "some rows are held more than once";
  return [
    ...body,
    `${table.sampler}: ${table.held} of ${table.rows} training rows are held; ${overlap}`,
  ].join("\n");
}

/** Owners that a line of the table names. */
const OWNERS_SHOWN = 3;

/** Of text, whose classes are tokens, the owners alone are told. */
function holdings(dataset: Dataset, partition: Partition): { classes: number[] | null; groups?: string[] } {
  const { groups, classes, tokens } = dataset;
  const counted = classes > 0 && tokens !== true ? countClasses(dataset, partition) : null;
  if (groups === undefined) return { classes: counted };
  const held = new Set(Array.from(partition, (row) => groups.of[row]!));
  return { classes: counted, groups: groups.names.filter((_, group) => held.has(group)) };
}

function countClasses(dataset: Dataset, partition: Partition): number[] {
  const counts = new Array<number>(dataset.classes).fill(0);
  for (const row of partition) counts[dataset.labels[row]!]!++;
  return counts;
}
