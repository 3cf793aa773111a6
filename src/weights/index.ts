export { type ByteSource, memorySource, wholeWords } from "./byteSource.js";
export {
  type Checkpoint,
  checkpointPath,
  readCheckpoint,
  readCheckpointHeader,
  readCheckpointWeights,
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
export type { CheckpointHeader, Score } from "./checkpointHeader.js";
export { decodeWeights, encodeWeights, readWeights } from "./codec.js";
export { type HalfFormat, widen } from "./halfPrecision.js";
export { encodeHeader, headerBytes, parseHeader } from "./header.js";
export {
  type ArrayDescription,
  ELEMENT_BYTES,
  type LayoutEntry,
  layoutFrom,
  layoutOf,
  padded,
  requireSameLayout,
  type WeightLayout,
} from "./layout.js";
export { readSafetensors, writeSafetensors } from "./safetensors.js";
export { openSafetensors, type SafetensorsFolder } from "./safetensorsFolder.js";
export type { SafetensorsContent } from "./safetensorsHeader.js";
export { type PayloadLayout, readLayout, readSegments, type Segment } from "./segments.js";
export type { WeightArray, WeightData, WeightDtype, Weights } from "./weights.js";
export { weightsDigest } from "./weightsDigest.js";
