export { type ByteSource, memorySource, wholeWords } from "./byteSource.js";
export {
  type Checkpoint,
  type CheckpointHeader,
  checkpointPath,
  readCheckpoint,
  readCheckpointHeader,
  readCheckpointWeights,
  type Score,
  writeCheckpoint,
} from "./checkpoint.js";
export {
  type CheckpointFile,
  clearCheckpoints,
  listCheckpoints,
  newestCheckpoint,
  type PruneOptions,
  pruneCheckpoints,
} from "./checkpointFolder.js";
export { decodeWeights, encodeWeights, readWeights } from "./codec.js";
export {
  type ArrayDescription,
  ELEMENT_BYTES,
  type LayoutEntry,
  layoutFrom,
  layoutOf,
  requireSameLayout,
  type WeightLayout,
} from "./layout.js";
export { readSafetensors, type SafetensorsContent, writeSafetensors } from "./safetensors.js";
export { type PayloadLayout, readLayout, readSegments, type Segment } from "./segments.js";
export type { WeightArray, WeightData, WeightDtype, Weights } from "./weights.js";
export { weightsDigest } from "./weightsDigest.js";
