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
