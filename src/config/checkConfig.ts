import { dirname } from "node:path";
import type { Catalog } from "./catalog.js";
import { checkEntries, checkSizes } from "./checks/checkData.js";
import { checkEvaluation } from "./checks/checkEvaluation.js";
import { checkLeaves } from "./checks/checkLeaves.js";
import { checkLora } from "./checks/checkLora.js";
import { checkNames } from "./checks/checkNames.js";
import { checkPaths } from "./checks/checkPaths.js";
import { checkRules } from "./checks/checkRules.js";
import { checkSections } from "./checks/checkSections.js";
import type { Draft } from "./checks/draft.js";
import { createReport, type Written, writtenIn } from "./checks/report.js";
import { checkTrainerEvaluations, withTrainerEvaluations } from "./checks/trainerEvaluations.js";
import { deepFreeze } from "./deepFreeze.js";
import type { ConfigIssue } from "./issue.js";
import { type ReadResult, readFileTree, readIncludes } from "./reading/includes.js";
import { applyOverrides, type Overrides } from "./reading/overrides.js";
import { readToml } from "./reading/readToml.js";
import { treeOf } from "./reading/tree.js";
import type { Config } from "./schema/config.js";

/** Where a configuration comes from. */
export type ConfigSource =
  /** A file. */
  | { readonly path: string }
  /** Text, with the file name that positions and includes refer to. */
  | { readonly text: string; readonly file?: string }
  /** An object with the keys of the file. */
  | { readonly object: object };

/** What the command line may change; positions of faults then name the option. */
export interface CheckOptions extends Overrides {
  /** Unknown and unsupported keys are warnings and dropped. */
  lenient?: boolean;
}

/** All that is wrong with a configuration, and the configuration when nothing is. */
export interface ConfigCheck {
  readonly ok: boolean;
  readonly errors: readonly ConfigIssue[];
  readonly warnings: readonly ConfigIssue[];
  /** Resolved and deeply frozen; null when there are errors. */
  readonly config: Config | null;
  /** Files it was read from, as the user named them. */
  readonly sources: readonly string[];
  /** Where each key was written and what, for faults that are found later, as in its data. */
  readonly written: Written;
}

/** Reads and checks a configuration without throwing: everything that is wrong is in the answer. */
export function checkConfig(source: ConfigSource, catalog: Catalog, options: CheckOptions = {}): ConfigCheck {
  const { tree: read, issues: unreadable, sources } = readSource(source);
  // What could not be read would show up again as missing keys.
  if (read === null) {
    const written = writtenIn(null);
    return { ok: false, errors: unreadable, warnings: [], config: null, sources, written };
  }

  const { tree, issues } = applyOverrides(read, options);
  const written = writtenIn(tree);
  const report = createReport(written, options.lenient ?? false);
  report.errors.push(...issues);
  const draft = checkSections(tree, catalog, report);
  checkNames(draft, catalog, report);
  checkLora(draft, report);
  checkEvaluation(tree.entries.get("evaluation"), draft, catalog, report);
  // Last, so that a key with a schema of its own says what it expects.
  checkLeaves(tree, report);
  checkRules(draft, tree, catalog, report);
  checkPaths(draft, report);
  const facts = factsOf(draft, catalog);
  checkSizes(draft, facts, report);
  const config = withTrainerEvaluations(complete(draft, report.errors), catalog);
  if (config !== null) {
    checkTrainerEvaluations(config, catalog, report);
    checkEntries(config, catalog, facts, report);
  }

  const errors = inReadingOrder(report.errors, sources);
  const warnings = inReadingOrder(report.warnings, sources);
  const found = { errors, warnings, sources, written };
  if (config === null || errors.length > 0) return { ok: false, config: null, ...found };
  return { ok: true, config: deepFreeze(config), ...found };
}

function readSource(source: ConfigSource): ReadResult {
  if ("path" in source) return readFileTree(source.path);
  if ("text" in source) {
    const tree = readToml(source.text, source.file ?? null);
    if ("code" in tree) return { tree: null, issues: [tree], sources: [] };
    return readIncludes(tree, source.file === undefined ? "." : dirname(source.file));
  }
  const tree = treeOf(source.object, () => ({ file: null, line: null }));
  if (tree.kind === "table") return readIncludes(tree, ".");
  const fault = { expected: "an object with the sections of a configuration", key: "", value: null };
  return {
    tree: null,
    issues: [{ code: "CONFIG_VALUE", file: null, line: null, ...fault, suggestion: null }],
    sources: [],
  };
}

/** The draft as a configuration, sections as in the documentation; null while a key has no usable value. */
function complete(draft: Draft, errors: readonly ConfigIssue[]): Config | null {
  if (errors.some(({ code }) => code === "CONFIG_VALUE" || code === "CONFIG_MISSING_KEY")) return null;
  const { general, clients, server, data, trainer, algorithm, parameters, evaluation, results } = draft;
  const before = { general, clients, server, data, trainer, algorithm, parameters };
  return { ...before, ...(evaluation === undefined ? {} : { evaluation }), results } as Config;
}

/** By file, then by line; what has no line comes first, the command line last. */
function inReadingOrder(issues: readonly ConfigIssue[], sources: readonly string[]): ConfigIssue[] {
  const file = (issue: ConfigIssue) => {
    const place = issue.file === null ? -1 : sources.indexOf(issue.file);
    return issue.file !== null && place < 0 ? sources.length : place;
  };
  return [...issues].sort((a, b) => file(a) - file(b) || (a.line ?? 0) - (b.line ?? 0));
}

function factsOf(draft: Draft, catalog: Catalog) {
  return catalog.datasources.find(({ name }) => name === draft.data.datasource)?.facts;
}
