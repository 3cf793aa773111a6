import { nearest } from "../../base/index.js";
import type { Catalog, CatalogEntry } from "../catalog.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { PLATO_NAMES } from "../schema/platoOnly.js";
import { type CatalogKind, chosenEntry, chosenName, NAMING_KEYS } from "./catalogKinds.js";
import { checkOptions } from "./checkOptions.js";
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
    const { parameters } = naming;
    const values = parameters === undefined ? undefined : draft.parameters[parameters];
    if (parameters === undefined || values === undefined || entry.options === undefined) continue;
    draft.parameters[parameters] = checkOptions(
      {
        schema: entry.options,
        values,
        path: ["parameters", parameters],
        reader: `the ${naming.noun} "${entry.name}"`,
      },
      report,
    );
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
  if (PLATO_NAMES[kind]?.includes(name)) report.error("CONFIG_UNSUPPORTED", path, { expected });
  else report.error("NAME_UNKNOWN", path, { expected, suggestion: nearest(name, registered) });
}

function namesOf(entries: readonly CatalogEntry[]): string[] {
  return entries.map((entry) => entry.name).sort();
}
