import { nearest } from "../../base/index.js";
import type { Catalog, CatalogEntry } from "../catalog.js";
import { plain, type TableTree, type Tree } from "../reading/tree.js";
import { REQUIRED_SECTIONS, SECTIONS, type Section } from "../schema/config.js";
import { platoKey } from "../schema/platoAdvice.js";
import { MISNAMED, PLATO_KEYS } from "../schema/platoOnly.js";
import { type CatalogKind, chosenEntry, NAMING_KEYS, type NamingKey } from "./catalogKinds.js";
import { checkFields, type Fields } from "./checkFields.js";
import { resolved, shapeOf } from "./checkOptions.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** Checks the sections with fixed keys: sections, keys, types and ranges. */
export function checkSections(tree: TableTree, catalog: Catalog, report: Report): Draft {
  for (const [name, value] of tree.entries) checkSectionName(name, value, report);
  const draft = Object.fromEntries(SECTION_NAMES.map((name) => [name, {}])) as unknown as Draft;
  const fill = (section: Section, values: Record<string, unknown>) => Object.assign(draft[section], values);
  for (const section of SECTION_NAMES) {
    const table = tableOf(section, tree, report);
    if (table) fill(section, checkFields(table, SECTIONS[section].shape, [section], report));
  }
  // Which further keys a section has depends on what is chosen, perhaps in another section.
  for (const section of SECTION_NAMES) {
    const table = tree.entries.get(section);
    if (table?.kind !== "table") continue;
    const added = addedFields(section, draft, catalog);
    const parsed = checkFields(table, added.chosen, [section], report);
    for (const [key, value] of Object.entries(parsed)) {
      const written = table.entries.get(key);
      const kept = written === undefined ? value : resolved(added.chosen[key]!, plain(written), value);
      fill(section, { [key]: kept });
    }
    const known = { ...added.elsewhere, ...added.chosen, ...SECTIONS[section].shape };
    for (const key of table.entries.keys()) checkKey(section, key, known, added, report);
  }
  return draft;
}

const SECTION_NAMES = Object.keys(SECTIONS) as Section[];

function checkSectionName(name: string, value: Tree, report: Report): void {
  if (Object.hasOwn(SECTIONS, name) || name === "evaluation") return;
  const sections = [...SECTION_NAMES, "evaluation"];
  const place = value.kind === "table" ? undefined : sectionWith(name);
  report.dropped("CONFIG_UNKNOWN_KEY", [name], {
    expected: `one of the sections ${sections.join(", ")}`,
    suggestion: place ?? nearest(name, sections),
  });
}

/** The section's table, an empty one where it may be absent, undefined after a report. */
function tableOf(section: Section, tree: TableTree, report: Report): TableTree | undefined {
  const found = tree.entries.get(section);
  if (found?.kind === "table") return found;
  if (found === undefined) {
    if (!REQUIRED_SECTIONS.includes(section)) return { kind: "table", at: tree.at, entries: new Map() };
    const needed = Object.entries(SECTIONS[section].shape)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([key]) => `"${key}"`);
    report.error("CONFIG_MISSING_KEY", [section], {
      expected: `a table [${section}] with ${needed.join(", ")}`,
    });
  } else {
    report.error("CONFIG_VALUE", [section], { expected: `a table [${section}]` });
  }
  return undefined;
}

interface AddedFields {
  /** Of the entries that the configuration chooses. */
  chosen: Fields;
  /** Of entries that it does not choose. */
  elsewhere: Fields;
  /** The entry that reads a key of `elsewhere`, for messages. */
  owners: ReadonlyMap<string, string>;
}

/** Keys that registered entries add to a section. */
function addedFields(section: Section, draft: Draft, catalog: Catalog): AddedFields {
  const chosen: Record<string, Fields[string]> = {};
  const elsewhere: Record<string, Fields[string]> = {};
  const owners = new Map<string, string>();
  for (const naming of NAMING_KEYS) {
    const own = chosenEntry(draft, catalog, naming);
    Object.assign(chosen, own && fieldsIn(section, own, naming));
    for (const entry of others(catalog, naming.kind, own)) {
      for (const [key, field] of Object.entries(fieldsIn(section, entry, naming))) {
        elsewhere[key] = field;
        owners.set(key, `the ${naming.noun} "${entry.name}"`);
      }
    }
  }
  return { chosen, elsewhere, owners };
}

/** Keys that an entry adds to a section: its options to the one that names it, and what it reads elsewhere. */
export function fieldsIn(section: Section, entry: CatalogEntry, naming: NamingKey): Fields {
  const options = naming.section === section && naming.parameters === undefined ? entry.options : undefined;
  return { ...shapeOf(options), ...entry.otherKeys?.[section] };
}

function others(catalog: Catalog, kind: CatalogKind, own: CatalogEntry | undefined): CatalogEntry[] {
  return catalog[kind].filter((entry) => entry !== own);
}

function checkKey(section: Section, key: string, known: Fields, added: AddedFields, report: Report): void {
  if (Object.hasOwn(SECTIONS[section].shape, key) || Object.hasOwn(added.chosen, key)) return;
  const path = [section, key];
  if (Object.hasOwn(added.elsewhere, key)) {
    report.warning("CONFIG_NO_EFFECT", path, {
      expected: `without effect, only ${added.owners.get(key)} reads it`,
    });
  } else if (platoKey(section, key) !== undefined) {
    report.dropped("CONFIG_UNSUPPORTED", path, { expected: platoKey(section, key)! });
  } else {
    report.dropped("CONFIG_UNKNOWN_KEY", path, {
      expected: `a key of [${section}]: ${Object.keys(SECTIONS[section].shape).join(", ")}`,
      suggestion: meant(section, key, Object.keys(known)),
    });
  }
}

/** What a mistyped key may have meant: a known misnomer, the nearest key here, or that very key elsewhere. */
function meant(section: Section, key: string, known: readonly string[]): string | undefined {
  const misnamed = MISNAMED[`${section}.${key}`];
  if (misnamed !== undefined)
    return misnamed.startsWith(`${section}.`) ? misnamed.slice(section.length + 1) : misnamed;
  return sectionWith(key) ?? nearest(key, [...known, ...Object.keys(PLATO_KEYS[section] ?? {})]);
}

/** `trainer.rounds` for `rounds`: the place of a key that exists elsewhere, if there is just one. */
function sectionWith(key: string): string | undefined {
  const all = SECTION_NAMES.filter((section) => Object.hasOwn(SECTIONS[section].shape, key));
  // Who misplaces a key of a run means the run.
  const places = all.length > 1 ? all.filter((section) => section !== "service") : all;
  return places.length === 1 ? `${places[0]}.${key}` : undefined;
}
