export { isOnlyHere, thrownThere } from "./rowErrors.js";
export { type RowsInThreads, RowThreads, type RowThreadsOptions } from "./rowThreads.js";
export type { MakeRowWork, PlacedInput, RowOutcome, RowWork, ThreadWork } from "./rowWork.js";
export { startThread } from "./startThread.js";
export { textLength } from "./textLength.js";
