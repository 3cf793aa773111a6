export {
  type ClientProcesses,
  type ClientProcessesOptions,
  startClientProcesses,
} from "./clientProcesses.js";
export { LOGGED_ITEMS } from "./loggedItems.js";
export type { ServerEvent, ServerEventMap } from "./serverEvents.js";
export type {
  CheckpointSink,
  RoundCheckpoint,
  RoundSink,
  RunningServer,
  RunSummary,
  ServerOptions,
} from "./serverOptions.js";
export { startServer } from "./startServer.js";
