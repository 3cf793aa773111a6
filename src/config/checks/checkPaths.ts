import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathsOf } from "../paths.js";
import type { Config } from "../schema/config.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** The folders a run writes must exist and be writable, or be creatable below one that is. */
export function checkPaths(draft: Draft, report: Report): void {
  const { general, server, data } = draft;
  const named = [general.base_path, server.checkpoint_path, server.model_path, data.data_path];
  if (named.includes(undefined)) return;
  const paths = pathsOf(draft as Config);
  const keys = [
    [["general", "base_path"], paths.base],
    [["server", "checkpoint_path"], paths.checkpoints],
    [["results", "result_path"], paths.results],
  ] as const;
  const reported = new Set<string>();
  for (const [key, path] of keys) {
    const fault = obstacle(path);
    if (fault === undefined || reported.has(fault)) continue;
    reported.add(fault);
    report.error("PATH_UNWRITABLE", key, { expected: `a folder that can be written; ${fault}` });
  }
}

/** What keeps a folder from being written, undefined if nothing does. */
function obstacle(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      if (!statSync(folder).isDirectory()) return `${folder} is a file`;
      accessSync(folder, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // Below a file there is ENOTDIR until the file itself is reached.
      const missing = code === "ENOENT" || code === "ENOTDIR";
      if (missing && dirname(folder) !== folder) continue;
      return `${folder} cannot be written (${code})`;
    }
  }
}
