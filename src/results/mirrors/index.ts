export type { Mirror, MirroredRow, MirroredRun } from "./mirror.js";
export { MirrorSet } from "./mirrorSet.js";
export { type MirrorEnvironment, mirrorsOf } from "./mirrorsOf.js";
