import { nearest } from "../../base/index.js";
import type { Catalog, CatalogEntry } from "../catalog.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { platoName } from "../schema/platoAdvice.js";
import { PLATO_NAMES } from "../schema/platoOnly.js";
import { type CatalogKind, chosenEntry, chosenName, NAMING_KEYS } from "./catalogKinds.js";
import { checkOptions, checkWhole } from "./checkOptions.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** Checks that every name is registered, and the options of what is named. Parsed options go into the draft. */
export function checkNames(draft: Draft, catalog: Catalog, report: Report): void {
  for (const naming of NAMING_KEYS) {
    const chosen = chosenName(draft, naming);
    if (chosen === undefined) continue;
    const entry = chosenEntry(draft, catalog, naming);
    if (entry === undefined) {
      reportUnknownName(chosen.name, [naming.section, chosen.key], naming, catalog, report);
      continue;
    }
    if (entry.options === undefined) continue;
    const { parameters, section } = naming;
    if (parameters === undefined) {
      checkWhole(entry.options, draft[section], section, report);
      continue;
    }
    const values = draft.parameters[parameters];
    if (values === undefined) continue;
    const reader = `the ${naming.noun} "${entry.name}"`;
    const table = { schema: entry.options, values, path: ["parameters", parameters], reader };
    draft.parameters[parameters] = checkOptions(table, report);
  }
}

/** Reports a name that is not registered, or that Plato knows and Elenchus does not yet. */
export function reportUnknownName(
  name: string,
  path: KeyPath,
  { kind, noun }: { kind: CatalogKind; noun: string },
  catalog: Catalog,
  report: Report,
): void {
  const registered = namesOf(catalog[kind]);
  const list = registered.length === 0 ? "none is" : registered.join(", ");
  const expected = `a registered ${noun} (${list})`;
  const advice = platoName(kind, name);
  if (advice !== undefined) report.error("CONFIG_UNSUPPORTED", path, { expected: `${expected}; ${advice}` });
  else if (PLATO_NAMES[kind]?.includes(name)) report.error("CONFIG_UNSUPPORTED", path, { expected });
  else report.error("NAME_UNKNOWN", path, { expected, suggestion: nearest(name, registered) });
}

function namesOf(entries: readonly CatalogEntry[]): string[] {
  return entries.map((entry) => entry.name).sort();
}
