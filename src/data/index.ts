import { allInclusive } from "./allInclusive.js";
import { type DatasourceFactory, datasources } from "./datasources.js";
import { iid } from "./iid.js";
import { noniid } from "./noniid.js";
import { samplers } from "./samplers.js";

export { ArrayDataset, type ArrayDatasetInit } from "./arrayDataset.js";
export type { Batch, Dataset, Datasource } from "./dataset.js";
export {
  type DatasourceFactory,
  type DatasourceRequest,
  datasourceCatalog,
  datasources,
  loadDatasource,
} from "./datasources.js";
export {
  checkPartitions,
  clientPartition,
  describePartitions,
  formatPartitions,
  type PartitionConfig,
  type PartitionTable,
} from "./partitions.js";
export type { Partition, Sampler, SamplerRequest } from "./sampler.js";
export { samplerCatalog, samplers } from "./samplers.js";
export { testSubset } from "./testSubset.js";

const digits: DatasourceFactory = async () => (await import("./digits.js")).loadDigits();

datasources.register(
  "digits",
  Object.assign(digits, { facts: { trainRows: 1437, testRows: 360, classes: 10 } }),
  { description: "1,797 handwritten digits, 28x28, 10 classes; ships with the package" },
);

samplers.register("iid", iid, { description: "Every client an equal random share" });
samplers.register("noniid", noniid, {
  description: "Class shares of each client from a Dirichlet distribution",
});
samplers.register("all_inclusive", allInclusive, { description: "Every client the whole training set" });
