export { createPipeline, type Encoded, type Pipeline, type Stage } from "./pipeline.js";
export { type Processing, processingOf } from "./processing.js";
export type {
  ArrayProcessor,
  ByteProcessor,
  NamedArray,
  Part,
  Processor,
  ProcessorFactory,
  ProcessorOptions,
} from "./processor.js";
export { payloadProcessors, processorCatalog } from "./registry.js";
export { unprocessed } from "./unprocessed.js";
