import { resolve } from "node:path";
import { ElenchusError, isLoopback, nearest } from "../base/index.js";
import type { CheckOptions } from "./checkConfig.js";
import { checkFields } from "./checks/checkFields.js";
import { checkLeaves } from "./checks/checkLeaves.js";
import { createReport, writtenIn } from "./checks/report.js";
import { deepFreeze } from "./deepFreeze.js";
import type { ConfigIssue } from "./issue.js";
import { readFileTree } from "./reading/includes.js";
import { applyOverrides } from "./reading/overrides.js";
import type { TableTree } from "./reading/tree.js";
import { renderIssues } from "./renderIssue.js";
import { SECTIONS } from "./schema/config.js";
import { type ServiceConfig, serviceSchema } from "./schema/service.js";

/** What the service goes by. */
export interface ServiceSettings {
  readonly service: ServiceConfig;
  /** Absolute folders: the base, those of runs, of data that requests may name, and of what the service keeps. */
  readonly paths: {
    readonly base: string;
    readonly results: string;
    readonly checkpoints: string;
    readonly data: string;
    readonly storage: string;
  };
}

/** Settings with what there is to say about them. */
export interface LoadedServiceConfig {
  readonly settings: ServiceSettings;
  readonly warnings: readonly ConfigIssue[];
}

/** How the configuration of a service is looked at. */
export interface ServiceCheckOptions extends CheckOptions {
  /** Whether whoever reads it will listen. Default false. */
  readonly listens?: boolean;
}

/** Sections that the service reads; of the others only the name is checked. */
const READ = ["general", "server", "results", "service"] as const;

/**
 * The settings of the service: a file with `[service]` and perhaps `[general]`, or the configuration of a run, whose
 * folders the service then shows.
 * @param path absent: defaults, and what the command line changes
 * @throws CONFIG_UNREADABLE, CONFIG_INVALID with every fault
 */
export function readServiceConfig(
  path: string | undefined,
  options: ServiceCheckOptions = {},
): LoadedServiceConfig {
  const read = path === undefined ? EMPTY : readFileTree(path);
  if (read.tree === null) throw refused("CONFIG_UNREADABLE", read.issues);
  const { tree, issues } = applyOverrides(read.tree, options);
  const report = createReport(writtenIn(tree), options.lenient ?? false);
  report.errors.push(...issues);
  for (const name of tree.entries.keys()) {
    if (Object.hasOwn(SECTIONS, name) || name === "evaluation") continue;
    const sections = [...Object.keys(SECTIONS), "evaluation"];
    report.dropped("CONFIG_UNKNOWN_KEY", [name], {
      expected: `one of the sections ${sections.join(", ")}`,
      suggestion: nearest(name, sections),
    });
  }
  const values = Object.fromEntries(
    READ.map((section) => {
      const table = tree.entries.get(section) ?? { ...NOTHING, at: tree.at };
      if (table.kind === "table") {
        return [section, checkFields(table, SECTIONS[section].shape, [section], report)];
      }
      report.error("CONFIG_VALUE", [section], { expected: `a table [${section}]` });
      return [section, {}];
    }),
  );
  const table = tree.entries.get("service");
  for (const key of table?.kind === "table" ? table.entries.keys() : []) {
    if (Object.hasOwn(serviceSchema.shape, key)) continue;
    report.dropped("CONFIG_UNKNOWN_KEY", ["service", key], {
      expected: `a key of [service]: ${Object.keys(serviceSchema.shape).join(", ")}`,
      suggestion: nearest(key, Object.keys(serviceSchema.shape)),
    });
  }
  checkLeaves(tree, report);
  if (report.errors.length > 0) throw refused("CONFIG_INVALID", report.errors);
  const settings = settingsOf(values);
  const { address, tokens } = settings.service;
  if (options.listens && tokens.length === 0 && !isLoopback(address)) {
    report.error("CONFIG_CONFLICT", ["service", "address"], {
      expected:
        "service.tokens beside an address that other machines can reach, or 127.0.0.1: whoever reached it could do everything",
    });
    throw refused("CONFIG_INVALID", report.errors);
  }
  return { settings: deepFreeze(settings), warnings: report.warnings };
}

const NOTHING: Pick<TableTree, "kind" | "entries"> = { kind: "table", entries: new Map() };
const EMPTY = {
  tree: { ...NOTHING, at: { file: null, line: null } } satisfies TableTree,
  issues: [] as ConfigIssue[],
};

function settingsOf(values: Record<string, Record<string, unknown>>): ServiceSettings {
  const general = SECTIONS.general.parse(values.general);
  const server = SECTIONS.server.parse(values.server);
  const results = SECTIONS.results.parse(values.results);
  const service = serviceSchema.parse(values.service);
  const base = resolve(general.base_path);
  return {
    service,
    paths: {
      base,
      results: resolve(base, results.result_path ?? "results"),
      checkpoints: resolve(base, server.checkpoint_path),
      data: resolve(base, service.data_path),
      storage: resolve(base, service.storage_path),
    },
  };
}

function refused(
  code: "CONFIG_UNREADABLE" | "CONFIG_INVALID",
  issues: readonly ConfigIssue[],
): ElenchusError {
  const count = issues.length === 1 ? "one error" : `${issues.length} errors`;
  return new ElenchusError(code, `The configuration has ${count}:\n${renderIssues(issues)}`, {
    details: { errors: issues, warnings: [] },
  });
}
