export type { JobQueue, Taking } from "./jobQueue.js";
export { openQueue, type QueueSettings } from "./openQueue.js";
export { ProcessQueue } from "./processQueue.js";
