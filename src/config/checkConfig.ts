import type { Catalog } from "./catalog.js";
import type { ConfigIssue } from "./issue.js";
import type { Config } from "./schema/config.js";

/** Where a configuration comes from. */
export type ConfigSource =
  | { readonly path: string }
  | { readonly text: string; readonly file?: string }
  | { readonly object: object };

/** What the command line may change. Positions of faults then name the option. */
export interface CheckOptions {
  /** `section.key=value` each; the value is TOML, else a string. Later ones win, and all win over the rest. */
  set?: readonly string[];
  /** Every `random_seed`. */
  seed?: number;
  /** `general.base_path`. */
  base?: string;
  /** Unknown and unsupported keys are warnings and dropped. */
  lenient?: boolean;
}

/** All that is wrong with a configuration, and the configuration when nothing is. */
export interface ConfigCheck {
  readonly ok: boolean;
  readonly errors: readonly ConfigIssue[];
  readonly warnings: readonly ConfigIssue[];
  /** Resolved and frozen; null when there are errors. */
  readonly config: Config | null;
  /** Files it was read from, as the user named them. */
  readonly sources: readonly string[];
}

/** Reads and checks a configuration without throwing: everything that is wrong is in the answer. */
export function checkConfig(
  _source: ConfigSource,
  _catalog: Catalog,
  _options: CheckOptions = {},
): ConfigCheck {
  return { ok: false, errors: [], warnings: [], config: null, sources: [] };
}
