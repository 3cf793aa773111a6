export type { HubEnvironment, HubFiles, HubProgress, HubRequest, HubSettings } from "./hubRequest.js";
