import { columnName, nearest } from "../../base/index.js";
import type { Catalog, CatalogEntry } from "../catalog.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { plain, type TableTree, type Tree } from "../reading/tree.js";
import { evaluationSchema } from "../schema/evaluation.js";
import { chosenEntry, NAMING_KEYS } from "./catalogKinds.js";
import { checkFields } from "./checkFields.js";
import { reportUnknownName } from "./checkNames.js";
import { checkOptions, shapeOf } from "./checkOptions.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

const COMMON_KEYS = Object.keys(evaluationSchema.shape);

/** Checks `[evaluation]`, one table or several, and puts the parsed tables into the draft. */
export function checkEvaluation(
  tree: Tree | undefined,
  draft: Draft,
  catalog: Catalog,
  report: Report,
): void {
  if (tree === undefined) return;
  const tables = tablesOf(tree, report);
  if (tables.length === 0) return;
  const parsed = tables.map(({ table, path }) => checkTable(table, path, draft, catalog, report));
  checkTableNames(
    parsed.map((values, place) => ({ values, path: tables[place]!.path })),
    report,
  );
  draft.evaluation = tree.kind === "list" ? parsed : parsed[0]!;
  if (draft.server.do_test === false) {
    report.error("CONFIG_CONFLICT", ["server", "do_test"], {
      expected: "true, since [evaluation] is part of the server's test",
    });
  }
}

interface Placed {
  table: TableTree;
  path: KeyPath;
}

function tablesOf(tree: Tree, report: Report): Placed[] {
  if (tree.kind === "table") return [{ table: tree, path: ["evaluation"] }];
  if (tree.kind === "leaf") {
    if (tree.value !== null) report.error("CONFIG_VALUE", ["evaluation"], { expected: TABLES });
    return [];
  }
  return tree.items.flatMap((item, place) => {
    const path = ["evaluation", place];
    if (item.kind === "table") return [{ table: item, path }];
    report.error("CONFIG_VALUE", path, { expected: TABLES });
    return [];
  });
}

const TABLES = "a table [evaluation], or several as [[evaluation]]";

/** One table: common keys, evaluator, its options, primary metric and target. */
function checkTable(
  table: TableTree,
  path: KeyPath,
  draft: Draft,
  catalog: Catalog,
  report: Report,
): Record<string, unknown> {
  const { type, name = type, ...others } = checkFields(table, evaluationSchema.shape, path, report);
  const common: Record<string, unknown> = { type, name, ...others };
  const options = Object.fromEntries(
    Object.entries(plain(table) as Record<string, unknown>).filter(([key]) => !COMMON_KEYS.includes(key)),
  );
  const onClients = common.on_clients === true;
  const entry = catalog.evaluators.find((evaluator) => evaluator.name === type);
  dropUnsupported(common, path, entry, report);
  if (onClients) requireClientTest(path, draft, report);
  if (typeof type !== "string") return { ...common, ...options };
  if (entry === undefined) {
    reportUnknownName(type, [...path, "type"], { kind: "evaluators", noun: "evaluator" }, catalog, report);
    return { ...common, ...options };
  }
  checkTokens(entry, path, draft, catalog, report);
  checkPrimaryMetric(common, entry, path, report);
  if (entry.options === undefined) {
    warnOfNearMisses(table, Object.keys(options), path, { declared: [], report });
    return { ...common, ...options };
  }
  const parsed = checkOptions(
    {
      schema: entry.options,
      values: options,
      path,
      otherKeys: COMMON_KEYS,
      reader: `the evaluator "${entry.name}"`,
    },
    report,
  );
  const shape = shapeOf(entry.options);
  if (shape !== undefined) {
    // What a strict schema refuses is an error already.
    const passed = Object.keys(options).filter((key) => Object.hasOwn(parsed, key));
    warnOfNearMisses(table, passed, path, { declared: Object.keys(shape), report });
  }
  return { ...common, ...parsed };
}

/** Common keys that do nothing with most evaluators. */
const WITHOUT_EFFECT = { data_dir: "no such key, or an evaluator that reads rows of its own" };

function dropUnsupported(
  common: Record<string, unknown>,
  path: KeyPath,
  entry: CatalogEntry | undefined,
  report: Report,
): void {
  for (const [key, expected] of Object.entries(WITHOUT_EFFECT)) {
    if (common[key] === undefined || entry?.heeds?.includes(key)) continue;
    report.dropped("CONFIG_UNSUPPORTED", [...path, key], { expected });
    delete common[key];
  }
}

/** A benchmark of language would find out in round 1 that there is nothing to ask. */
function checkTokens(
  { name, tokens }: CatalogEntry,
  path: KeyPath,
  draft: Draft,
  catalog: Catalog,
  report: Report,
): void {
  if (!tokens) return;
  for (const kind of ["trainers", "models"] as const) {
    const naming = NAMING_KEYS.find((one) => one.kind === kind)!;
    const chosen = chosenEntry(draft, catalog, naming);
    if (chosen?.tokens !== false) continue;
    const fitting = catalog[kind].filter((one) => one.tokens).map((one) => one.name);
    report.error("CONFIG_CONFLICT", [...path, "type"], {
      expected: `an evaluator for any model, since "${name}" needs a language model and the ${naming.noun} "${chosen.name}" has none; or another ${naming.noun} (${fitting.join(", ")})`,
    });
    return;
  }
}

function requireClientTest(path: KeyPath, { clients }: Draft, report: Report): void {
  if (clients.do_test !== false) return;
  report.error("CONFIG_CONFLICT", [...path, "on_clients"], {
    expected: "clients.do_test = true beside it, since it is part of the clients' test",
  });
}

/** What is declared is checked before round 1; undeclared metrics are checked on the first result. */
function checkPrimaryMetric(
  common: Record<string, unknown>,
  entry: CatalogEntry,
  path: KeyPath,
  report: Report,
): void {
  const declared = entry.metrics;
  const names = Object.keys(declared ?? {});
  if (declared === undefined || names.length === 0) return;
  const given = common.primary_metric;
  if (typeof given === "string" && !names.includes(given)) {
    report.error("EVALUATION_CONFIG", [...path, "primary_metric"], {
      expected: `a metric of the evaluator "${entry.name}": ${names.join(", ")}`,
      suggestion: nearest(given, names),
    });
    return;
  }
  const primary = typeof given === "string" ? given : entry.primaryMetric;
  const directed = names.filter((name) => typeof declared[name]?.higherIsBetter === "boolean");
  if (common.target === undefined) return;
  // Which metric is the primary one may not be known before the first result; its direction is checked then.
  const known = primary !== undefined && names.includes(primary);
  if (known ? directed.includes(primary) : directed.length > 0) return;
  report.error("EVALUATION_CONFIG", [...path, "target"], {
    expected: `a target only beside a primary metric whose direction the evaluator "${entry.name}" declares`,
  });
}

/** Undeclared options pass, but a mistyped key would change the run without a word. */
function warnOfNearMisses(
  table: TableTree,
  options: readonly string[],
  path: KeyPath,
  { declared, report }: { declared: readonly string[]; report: Report },
): void {
  const known = [...COMMON_KEYS, ...declared];
  const absent = known.filter((key) => key.length >= SHORTEST_MISTYPED && !table.entries.has(key));
  for (const key of options) {
    if (declared.includes(key)) continue;
    const suggestion = nearest(key, absent);
    if (suggestion === undefined) continue;
    report.warning("CONFIG_UNKNOWN_KEY", [...path, key], {
      expected: "a key of [evaluation], or an option that the evaluator reads",
      suggestion,
    });
  }
}

/** Shorter keys are near to too many words: `node` to `name`, `time` to `type`. */
const SHORTEST_MISTYPED = 5;

/** Names become columns and file names: after the naming rule none may be empty or taken. */
function checkTableNames(
  tables: readonly { values: Record<string, unknown>; path: KeyPath }[],
  report: Report,
): void {
  const taken = new Map<string, string>();
  for (const [place, { values, path }] of tables.entries()) {
    if (typeof values.name !== "string") continue;
    const name = columnName(values.name);
    const at = [...path, "name"];
    const other = taken.get(name);
    if (name === "") {
      report.error("EVALUATION_CONFIG", at, { expected: "a name with at least one of a-z, 0-9" });
    } else if (other !== undefined) {
      report.error("EVALUATION_CONFIG", at, {
        expected: `a name of its own: "${values.name}" and "${other}" both become the column name "${name}"`,
      });
    } else if (place > 0 && (name === "clients" || name.startsWith("clients_"))) {
      report.error("EVALUATION_CONFIG", at, {
        expected: "another name: columns that begin with clients_ hold what clients measured",
      });
    }
    taken.set(name, values.name);
  }
}
