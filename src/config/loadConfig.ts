import { ElenchusError } from "../base/index.js";
import type { Catalog } from "./catalog.js";
import { type CheckOptions, type ConfigCheck, type ConfigSource, checkConfig } from "./checkConfig.js";
import type { Written } from "./checks/report.js";
import type { ConfigIssue } from "./issue.js";
import { renderIssues } from "./renderIssue.js";
import type { Config } from "./schema/config.js";

/** A configuration that passed every check. */
export interface LoadedConfig {
  /** Resolved, deeply frozen. */
  config: Config;
  /** Files it was read from, includes too, as the user named them. */
  sources: readonly string[];
  warnings: readonly ConfigIssue[];
  /** Where each key was written and what, for faults that are found later. */
  written: Written;
}

/**
 * Reads a configuration file with its includes and checks it whole.
 * @throws CONFIG_UNREADABLE when a file cannot be read or is not TOML, CONFIG_INVALID otherwise; either
 * lists every fault in its message and, as `ConfigIssue`s, in `details.errors`
 */
export function readConfigFile(path: string, catalog: Catalog, options: CheckOptions = {}): LoadedConfig {
  return load({ path }, catalog, options);
}

/** The same of TOML text. Includes are relative to the folder of `options.file`, else to the working folder. */
export function loadConfig(
  text: string,
  catalog: Catalog,
  options: CheckOptions & { file?: string } = {},
): LoadedConfig {
  const { file, ...rest } = options;
  return load(file === undefined ? { text } : { text, file }, catalog, rest);
}

/** The same of an object with the keys of the file, as code passes it to `run`. It has no positions. */
export function loadConfigObject(object: object, catalog: Catalog, options: CheckOptions = {}): LoadedConfig {
  return load({ object }, catalog, options);
}

function load(source: ConfigSource, catalog: Catalog, options: CheckOptions): LoadedConfig {
  const check: ConfigCheck = checkConfig(source, catalog, options);
  if (check.ok && check.config !== null) {
    const { config, sources, warnings, written } = check;
    return { config, sources, warnings, written };
  }
  const unreadable = check.errors.some((issue) => issue.code === "CONFIG_UNREADABLE");
  const count = check.errors.length === 1 ? "one error" : `${check.errors.length} errors`;
  throw new ElenchusError(
    unreadable ? "CONFIG_UNREADABLE" : "CONFIG_INVALID",
    `The configuration has ${count}:\n${renderIssues(check.errors)}`,
    { details: { errors: check.errors, warnings: check.warnings } },
  );
}
