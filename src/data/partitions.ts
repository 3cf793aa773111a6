import { ElenchusError, messageOf } from "../base/index.js";
import type { Config } from "../config/index.js";
import { augmentationOf, checkAugmentation } from "./augmentation.js";
import type { Dataset, Datasource } from "./dataset.js";
import { withModalities } from "./modalities.js";
import { samplers } from "./samplers/registry.js";
import type { Partition, PlanRequest, Sampler, SamplerRequest } from "./samplers/sampler.js";
import { testSubset } from "./testSubset.js";

/** What of the configuration decides who holds what. */
export interface PartitionConfig {
  readonly clients: Pick<Config["clients"], "total_clients">;
  readonly data: Config["data"];
  /** Of which `total_silos` is read. */
  readonly algorithm?: Readonly<Record<string, unknown>>;
}

/** What one logical client holds. */
export interface ClientRows {
  /** The data set, with 0 for what of an input the client lacks. */
  readonly dataset: Dataset;
  /** The parts of an input that it has; absent where samplers leave all to everybody. */
  readonly modalities?: readonly string[] | undefined;
  /** Its rows; undefined: all. */
  readonly indices: Partition | undefined;
}

/** Says of any logical client, from 1 to `clients.total_clients`, what it holds. */
export type Partitioner = (clientId: number) => ClientRows & { readonly indices: Partition };

/**
 * Divides `trainset`. What does not depend on the client is done once, so ask one partitioner for many clients.
 * @throws NAME_UNKNOWN for the sampler; it, or what it returns, DATA_INVALID when a partition cannot be filled or is none
 */
export function partitioner(config: PartitionConfig, trainset: Dataset): Partitioner {
  return partitionerOf(config, config.data.sampler, trainset, "sampler");
}

/**
 * What of the test set each client tests on: its part by `data.testset_sampler`, else the same `data.testset_size`
 * rows, or all, for every client. Its generators are those of the training set, so that with one sampler for both a
 * client's test rows have the class shares of its training rows.
 * @throws as `partitioner`
 */
export function testPartitioner(config: PartitionConfig, testset: Dataset): (clientId: number) => ClientRows {
  const { testset_sampler: name } = config.data;
  if (name !== undefined) return partitionerOf(config, name, testset, "testset_sampler");
  const indices = testSubset(config.data, testset);
  const sampler = samplers.lookup(config.data.sampler);
  const request = requestOf(config, testset, "test");
  return (clientId) => ({ ...ofClient(sampler, { ...request, clientId }), indices });
}

/** The rows of `trainset` that one logical client holds. @throws as `partitioner` */
export function clientPartition(config: PartitionConfig, trainset: Dataset, clientId: number): Partition {
  return partitioner(config, trainset)(clientId).indices;
}

function partitionerOf(
  config: PartitionConfig,
  name: string,
  dataset: Dataset,
  key: "sampler" | "testset_sampler",
): Partitioner {
  const sampler = samplers.lookup(name);
  const request = requestOf(config, dataset, key === "sampler" ? "train" : "test");
  const plan = sampler.plan?.(request) ?? ((clientId) => sampler.partition({ ...request, clientId }));
  const { totalClients } = request;
  return (clientId) => {
    if (!Number.isInteger(clientId) || clientId < 1 || clientId > totalClients) {
      throw new ElenchusError(
        "DATA_INVALID",
        `Client ${clientId} has no partition: expected a logical client from 1 to clients.total_clients = ${totalClients}.`,
      );
    }
    const indices = plan(clientId);
    checkRows(indices, { name, key, rows: dataset.length, clientId });
    return { ...ofClient(sampler, { ...request, clientId }), indices };
  };
}

function requestOf(
  { clients, data, algorithm }: PartitionConfig,
  dataset: Dataset,
  purpose: "train" | "test",
): PlanRequest {
  const silos = algorithm?.total_silos;
  const { partition_size: size, testset_partition_size: testSize = size } = data;
  return {
    dataset,
    purpose,
    totalClients: clients.total_clients,
    seed: data.random_seed,
    options: purpose === "test" && testSize !== undefined ? { ...data, partition_size: testSize } : data,
    ...(typeof silos === "number" && { silos }),
  };
}

function ofClient(sampler: Sampler, request: SamplerRequest): Pick<ClientRows, "dataset" | "modalities"> {
  const modalities = sampler.modalities?.(request);
  if (modalities === undefined) return { dataset: request.dataset };
  return { dataset: withModalities(request.dataset, modalities), modalities };
}

/**
 * Makes every client's partition and the test subset once, before a run relies on them.
 * @throws DATA_INVALID with every different reason why one cannot be made; `details.faults` has each with the
 *   `path` of the key at fault
 */
export function checkPartitions(config: PartitionConfig, { trainset, testset }: Datasource): void {
  const reasons = new Map<string, readonly string[]>();
  const attempt = <T>(make: () => T): T | undefined => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ElenchusError)) throw error;
      const { path } = error.details;
      reasons.set(messageOf(error), Array.isArray(path) ? path : ["data", "sampler"]);
      return undefined;
    }
  };
  attempt(() => checkAugmentation(augmentationOf(config.data), trainset));
  attempt(() => testSubset(config.data, testset));
  const parts = [
    attempt(() => partitioner(config, trainset)),
    config.data.testset_sampler === undefined ? undefined : attempt(() => testPartitioner(config, testset)),
  ];
  for (const partOf of parts) {
    if (partOf === undefined) continue;
    for (let client = 1; client <= config.clients.total_clients && reasons.size < 5; client++) {
      attempt(() => partOf(client));
    }
  }
  if (reasons.size === 0) return;
  const faults = [...reasons].map(([message, path]) => ({ path, message }));
  throw new ElenchusError("DATA_INVALID", [...reasons.keys()].join(" "), { details: { faults } });
}

/** A sampler from code may give anything. */
function checkRows(
  partition: unknown,
  { name, key, rows, clientId }: { name: string; key: string; rows: number; clientId: number },
): void {
  const fault = (found: string) =>
    new ElenchusError(
      "DATA_INVALID",
      `The sampler "${name}" gives client ${clientId} ${found}; expected an Int32Array of at least one row from 0 to ${rows - 1}.`,
      { details: { path: ["data", key] } },
    );
  if (!(partition instanceof Int32Array)) throw fault("something that is no Int32Array");
  if (partition.length === 0) throw fault("no rows");
  const stray = partition.find((row) => row < 0 || row >= rows);
  if (stray !== undefined) throw fault(`row ${stray}`);
}
