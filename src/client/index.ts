import { entryFile } from "../base/index.js";

export type { ClientStateStore } from "./clientStateStore.js";
export { fileStateStore } from "./fileStateStore.js";
export { type ClientOptions, type ClientSummary, type RunningClient, startClient } from "./startClient.js";

/** Entry file of a client process, for whoever starts one. */
export const clientEntry: URL = entryFile(import.meta.url, "./processMain");
