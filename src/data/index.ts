export type { Batch, Dataset, Datasource } from "./dataset.js";
export type { Partition, Sampler, SamplerRequest } from "./sampler.js";
