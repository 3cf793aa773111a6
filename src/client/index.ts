export { clientEntry } from "./clientEntry.js";
export type { ClientOptions, ClientSummary, RunningClient } from "./clientOptions.js";
export { clientSamples } from "./clientSamples.js";
export type { ClientStateStore } from "./clientStateStore.js";
export { fileStateStore, fileStateStores } from "./fileStateStore.js";
export { serverTrust } from "./serverTrust.js";
export { startClient } from "./startClient.js";
