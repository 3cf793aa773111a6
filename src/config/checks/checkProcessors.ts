import { nearest } from "../../base/index.js";
import type { Catalog, ProcessorEntry } from "../catalog.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { type Tree, treeAt } from "../reading/tree.js";
import { platoName } from "../schema/platoAdvice.js";
import { PLATO_NAMES } from "../schema/platoOnly.js";
import { checkOptions } from "./checkOptions.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** Checks the lists of payload processors, that each end undoes what the other does, and their options. */
export function checkProcessors(draft: Draft, tree: Tree, catalog: Catalog, report: Report): void {
  const entries = catalog.processors ?? [];
  dropIdle(draft, tree, report);
  const used: ProcessorEntry[] = [];
  for (const [from, to] of [
    ["clients", "server"],
    ["server", "clients"],
  ] as const) {
    const written = draft[from].outbound_processors ?? [];
    const path = [from, "outbound_processors"];
    const chosen = written.map((name, place) => entryOf(name, [...path, place], "outbound", entries, report));
    if (chosen.includes(undefined)) continue;
    const list = chosen as ProcessorEntry[];
    used.push(...list);
    checkOrder(list, path, report);
    if (from === "server") checkDownward(list, path, report);
    checkInverse(draft[to].inbound_processors, list, [to, "inbound_processors"], entries, report);
  }
  checkTables(draft, used, entries, report);
}

/** Processors of Plato's that do what happens anyway. */
const IDLE: readonly string[] = ["model_deepcopy", "safetensor_encode", "safetensor_decode"];

function dropIdle(draft: Draft, tree: Tree, report: Report): void {
  for (const section of ["clients", "server"] as const) {
    for (const key of ["outbound_processors", "inbound_processors"] as const) {
      const names = draft[section][key];
      for (const name of names?.filter((one) => IDLE.includes(one)) ?? []) {
        report.warning("CONFIG_NO_EFFECT", placeOf([section, key], name, tree), {
          expected: `"${name}" has no effect: payloads are copies, in a format of their own, anyway`,
        });
      }
      if (names !== undefined) draft[section][key] = names.filter((name) => !IDLE.includes(name));
    }
  }
}

function placeOf(path: KeyPath, name: string, tree: Tree): KeyPath {
  const list = treeAt(tree, path);
  if (list?.kind !== "list") return path;
  const place = list.items.findIndex((item) => item.kind === "leaf" && item.value === name);
  return place < 0 ? path : [...path, place];
}

/** The processor of a name, Plato's included; undefined after a report. */
function entryOf(
  name: string,
  path: KeyPath,
  direction: "outbound" | "inbound",
  entries: readonly ProcessorEntry[],
  report: Report,
): ProcessorEntry | undefined {
  const found = entries.find((entry) => entry.name === name || entry.plato?.[direction] === name);
  if (found !== undefined) return found;
  const key = path.slice(0, 2);
  const other = direction === "outbound" ? "inbound" : "outbound";
  const misplaced = entries.find((entry) => entry.plato?.[other] === name);
  const known = entries.map((entry) => entry.name);
  const expected = `a registered processor (${known.join(", ")})`;
  if (misplaced !== undefined) {
    report.error("CONFIG_CONFLICT", key, {
      expected: `no "${name}", which belongs among ${other} processors; "${misplaced.name}" fits both`,
    });
  } else if (PLATO_NAMES.processors?.includes(name)) {
    const advice = platoName("processors", name);
    report.error("CONFIG_UNSUPPORTED", key, {
      expected: advice === undefined ? expected : `${expected}; ${advice}`,
    });
  } else report.error("NAME_UNKNOWN", key, { expected, suggestion: nearest(name, known) });
  return undefined;
}

function checkOrder(list: readonly ProcessorEntry[], path: KeyPath, report: Report): void {
  const bytes = list.filter((entry) => entry.bytes);
  if (bytes.length > 1) {
    const names = bytes.map(({ name }) => name).join(" or ");
    report.error("CONFIG_CONFLICT", path, {
      expected: `one of ${names}: a second compression gains nothing`,
    });
  } else if (bytes.length === 1 && list.at(-1) !== bytes[0]) {
    report.error("CONFIG_CONFLICT", path, {
      expected: `"${bytes[0]!.name}" at the end: it works on bytes, the others on arrays`,
    });
  }
}

/** Nobody knows what weights a client had before, and so no changes of them. */
function checkDownward(list: readonly ProcessorEntry[], path: KeyPath, report: Report): void {
  for (const { name } of list.filter((entry) => entry.ofUpdates)) {
    report.error("CONFIG_CONFLICT", path, {
      expected: `no "${name}", which processes how updates differ from the global weights; set it in clients.outbound_processors`,
    });
  }
}

function checkInverse(
  written: readonly string[] | undefined,
  outbound: readonly ProcessorEntry[],
  path: KeyPath,
  entries: readonly ProcessorEntry[],
  report: Report,
): void {
  if (written === undefined) return;
  const inbound = written.map((name, place) => entryOf(name, [...path, place], "inbound", entries, report));
  if (inbound.includes(undefined)) return;
  const expected = outbound.filter((entry) => !entry.oneWay).reverse();
  if (inbound.length === expected.length && expected.every((entry, place) => entry === inbound[place]))
    return;
  const names = expected.map(({ name }) => `"${name}"`).join(", ");
  const other = path[0] === "server" ? "clients" : "server";
  report.error("CONFIG_CONFLICT", path, {
    expected: `[${names}], which undoes ${other}.outbound_processors; it may be left out`,
  });
}

/** The tables of options of the processors that are used; defaults go into the draft. */
function checkTables(
  draft: Draft,
  used: readonly ProcessorEntry[],
  entries: readonly ProcessorEntry[],
  report: Report,
): void {
  const tables = draft.parameters.processors ?? {};
  const checked: Record<string, Record<string, unknown>> = {};
  for (const [name, values] of Object.entries(tables)) {
    const path = ["parameters", "processors", name];
    const entry = entries.find((one) => one.name === name || one.plato?.outbound === name);
    if (entry === undefined) {
      const known = entries.map((one) => one.name);
      report.dropped("CONFIG_UNKNOWN_KEY", path, {
        expected: `the name of a processor (${known.join(", ")})`,
        suggestion: nearest(name, known),
      });
      continue;
    }
    checked[name] = values;
    if (!used.includes(entry)) {
      report.warning("CONFIG_NO_EFFECT", path, {
        expected: "without effect, since no list of outbound processors names it",
      });
    } else if (entry.options !== undefined) {
      const table = { schema: entry.options, values, path, reader: `the processor "${entry.name}"` };
      checked[name] = checkOptions(table, report);
    }
  }
  draft.parameters.processors = checked;
}
