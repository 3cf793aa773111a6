export { checkpointFolder } from "./checkpointFolder.js";
export {
  type ClientProcesses,
  type ClientProcessesOptions,
  startClientProcesses,
} from "./clientProcesses.js";
export { LOGGED_ITEMS } from "./loggedItems.js";
export type { RunSummary } from "./runSummary.js";
export type { ServerEvent, ServerEventMap } from "./serverEvents.js";
export type {
  CheckpointSink,
  RoundSink,
  RunningServer,
  ServerOptions,
} from "./serverOptions.js";
export { readServerTls, type ServerTls } from "./serverTls.js";
export { startServer } from "./startServer.js";
