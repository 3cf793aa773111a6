export { type RunOptions, run } from "./run.js";
export type { RunDocument } from "./runDocument.js";
