export { ArrayDataset, type ArrayDatasetInit } from "./arrayDataset.js";
export { type Augmentation, augmentationOf, augmented } from "./augmentation.js";
export {
  type Batch,
  type Dataset,
  type Datasource,
  type Modality,
  NO_LABEL,
  type RowGroups,
} from "./dataset.js";
export type { DatasourceFactory, DatasourceRequest, DatasourceSurroundings } from "./datasourceFactory.js";
export { datasourceCatalog, datasources, loadDatasource } from "./datasources.js";
export { modalityNames, withModalities } from "./modalities.js";
export { mostRows } from "./mostRows.js";
export {
  type ClientRows,
  checkPartitions,
  clientPartition,
  type PartitionConfig,
  type Partitioner,
  partitioner,
  testPartitioner,
} from "./partitions.js";
export { describePartitions, formatPartitions, type PartitionTable } from "./partitionTable.js";
export { BlockDataset, type ByteScale, type RowFacts } from "./rows/blockDataset.js";
export { type KeptAs, keptDatasource, type StoredParts } from "./rows/keptDatasource.js";
export { FileBlock, MemoryBlock, type RowBlock, type StoredNumbers } from "./rows/rowBlock.js";
export type { StoredRows } from "./rows/rowsFile.js";
export { samplerCatalog, samplers } from "./samplers/registry.js";
export type { Partition, PlanRequest, Sampler, SamplerRequest } from "./samplers/sampler.js";
export { testSubset } from "./testSubset.js";
export { type DatasetRequest, datasetFiles, type LoadedDataset, loadDataset } from "./text/loadDataset.js";
export { type PlacedRow, readTable, type TableRow, tableFormat, tableRows } from "./text/tableFile.js";
export { TextDataset, type TextDatasetInit } from "./text/textDataset.js";
export { type ThreadedReading, threadedTable } from "./text/threadedTable.js";
export type { OwnedRow, TokenRow } from "./text/tokenRow.js";
