export { fetchFile, type NamedFile } from "./fetchFile.js";
export type { HubEnvironment, HubFiles, HubProgress, HubRequest, HubSettings } from "./hubRequest.js";
export { hubSettings } from "./hubSettings.js";
export { type ModelFiles, readShardIndex, resolveModelFiles } from "./modelFiles.js";
export { listFiles, resolveFiles } from "./resolveFiles.js";
export { unpackZip } from "./unpackZip.js";
export { withZip, type ZipEntry } from "./zipFile.js";
