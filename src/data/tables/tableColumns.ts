import { ElenchusError, nearest } from "../../base/index.js";
import type { ColumnName, CsvOptions } from "./tableOptions.js";

/** What each column of a table is for, by its place. */
export interface TableColumns {
  readonly label: number;
  readonly owner: number | undefined;
  /** In their order. */
  readonly features: readonly number[];
  /** Of those, the ones whose numbers name categories. */
  readonly categorical: ReadonlySet<number>;
  /** Groups of features. */
  readonly modalities: readonly { readonly name: string; readonly features: readonly number[] }[] | undefined;
}

/** @throws DATA_INVALID naming the key of a column that there is not, or that is for two things */
export function tableColumns(names: readonly string[], options: CsvOptions): TableColumns {
  const placeOf = (column: ColumnName, key: string) => place(names, column, key);
  const placesOf = (columns: readonly ColumnName[] | undefined, key: string) =>
    columns?.map((column) => placeOf(column, key));
  const label = placeOf(options.label, "label");
  const owner = options.owner_field === undefined ? undefined : placeOf(options.owner_field, "owner_field");
  const left = new Set([label, owner, ...(placesOf(options.ignore, "ignore") ?? [])]);
  const features =
    placesOf(options.features, "features") ?? [...names.keys()].filter((each) => !left.has(each));
  const taken = features.find((each) => each === label || each === owner);
  if (taken !== undefined) {
    throw fault(
      "features",
      `names ${shown(names, taken)}, which is the ${taken === label ? "label" : "owner"}`,
    );
  }
  if (new Set(features).size < features.length) throw fault("features", "names a column twice");
  if (features.length === 0) throw fault("ignore", "leaves no column to learn from");
  const categorical = new Set(placesOf(options.categorical, "categorical"));
  const modalities =
    options.modalities &&
    Object.entries(options.modalities).map(([name, columns]) => ({
      name,
      features: placesOf(columns, "modalities")!,
    }));
  if (modalities)
    checkModalities(
      names,
      features,
      modalities.flatMap((each) => each.features),
    );
  return { label, owner, features, categorical, modalities };
}

function place(names: readonly string[], column: ColumnName, key: string): number {
  const named = typeof column === "string" ? names.indexOf(column) : -1;
  if (named >= 0) return named;
  if (typeof column === "number") {
    const at = column < 0 ? names.length + column : column;
    if (at >= 0 && at < names.length) return at;
    throw fault(key, `is column ${column}, but there are ${names.length}: 0 to ${names.length - 1}`);
  }
  const meant = nearest(column, names);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw fault(key, `names ${JSON.stringify(column)}, but the columns are ${names.join(", ")}.${hint}`);
}

function checkModalities(
  names: readonly string[],
  features: readonly number[],
  grouped: readonly number[],
): void {
  const counts = new Map<number, number>(features.map((each) => [each, 0]));
  for (const each of grouped) {
    if (!counts.has(each))
      throw fault("modalities", `names ${shown(names, each)}, from which nothing is learnt`);
    counts.set(each, counts.get(each)! + 1);
  }
  for (const [each, count] of counts) {
    if (count !== 1)
      throw fault("modalities", `has ${shown(names, each)} ${count} times; each column belongs to one`);
  }
}

function shown(names: readonly string[], at: number): string {
  return JSON.stringify(names[at]);
}

function fault(key: string, found: string): ElenchusError {
  return new ElenchusError("DATA_INVALID", `data.${key} ${found.replace(/[^.?]$/, "$&.")}`, {
    details: { path: ["data", key] },
  });
}
