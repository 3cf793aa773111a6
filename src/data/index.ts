export { ArrayDataset, type ArrayDatasetInit } from "./arrayDataset.js";
export { type Batch, type Dataset, type Datasource, NO_LABEL, type RowGroups } from "./dataset.js";
export type { DatasourceFactory, DatasourceRequest, DatasourceSurroundings } from "./datasourceFactory.js";
export { datasourceCatalog, datasources, loadDatasource } from "./datasources.js";
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
export { type DatasetRequest, datasetFiles, type LoadedDataset, loadDataset } from "./text/loadDataset.js";
export { type PlacedRow, readTable, type TableRow, tableFormat, tableRows } from "./text/tableFile.js";
export { TextDataset, type TextDatasetInit } from "./text/textDataset.js";
export { type ThreadedReading, threadedTable } from "./text/threadedTable.js";
export type { OwnedRow, TokenRow } from "./text/tokenRow.js";
