/** Columns as the address names them; none for nobody's choice. */
export function chosenColumns(params: URLSearchParams): readonly string[] {
  return (params.get("columns") ?? "").split(",").filter((name) => name !== "");
}

/** Where the uncertainty of a column stands. */
export type Uncertainty =
  | { readonly kind: "interval"; readonly low: string; readonly high: string }
  | { readonly kind: "error"; readonly error: string };

/** The columns that say how uncertain each column is: an interval where there is one, else a standard error. */
export function uncertainties(columns: readonly string[]): ReadonlyMap<string, Uncertainty> {
  const all = new Set(columns);
  const found = new Map<string, Uncertainty>();
  for (const error of columns) {
    // With several filters a name ends in the filter: `acc_stderr_none` is of `acc_none`.
    const of = error.replace(/_stderr(?=_|$)/, "");
    if (of !== error && all.has(of)) found.set(of, { kind: "error", error });
  }
  for (const low of columns) {
    const of = /^(.+)_ci_low$/s.exec(low)?.[1];
    if (of !== undefined && all.has(of) && all.has(`${of}_ci_high`)) {
      found.set(of, { kind: "interval", low, high: `${of}_ci_high` });
    }
  }
  return found;
}

/** Whether a column says how uncertain another is. */
export function isUncertainty(column: string): boolean {
  return /_stderr(?=_|$)|_ci_(?:low|high)$/.test(column);
}

/** Columns of times and counts, which nobody wants to see first. */
const ASIDE = /^(?:round|elapsed_time|processing_time|comm_time|round_time|comm_overhead)$|_status$/;

/** What is shown before anybody has chosen: the primary value, accuracy, then the first metrics. */
export function standardColumns(columns: readonly string[], most = 4): readonly string[] {
  const usual = columns.filter((column) => !ASIDE.test(column) && !isUncertainty(column));
  const first = ["evaluation_primary_value", "accuracy"].filter((column) => usual.includes(column));
  return [...first, ...usual.filter((column) => !first.includes(column))].slice(0, most);
}
