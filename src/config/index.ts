export type { Catalog, CatalogEntry, DataFacts, EntryFault } from "./catalog.js";
export { type CheckOptions, type ConfigCheck, type ConfigSource, checkConfig } from "./checkConfig.js";
export type { ConfigIssue, IssueCode } from "./issue.js";
export { type LoadedConfig, loadConfig, loadConfigObject, readConfigFile } from "./loadConfig.js";
export { pathsOf, type RunPaths } from "./paths.js";
export { redact } from "./redact.js";
export { renderIssue, renderIssues } from "./renderIssue.js";
export type { Config } from "./schema/config.js";
export { evaluationSchema } from "./schema/evaluation.js";
