import { parse } from "csv-parse/sync";
import { ElenchusError, messageOf } from "../../base/index.js";

/**
 * What guessing reaches, in percent by label: the columns `Eval Task` and `Random baseline` of a bundle's
 * `eval_meta_data.csv`.
 * @throws INPUT_UNREADABLE
 */
export function parseBaselines(text: string, path: string): Map<string, number> {
  let rows: Record<string, string>[];
  try {
    rows = parse(text, {
      columns: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      bom: true,
    });
  } catch (error) {
    throw unreadable(path, messageOf(error));
  }
  return new Map(
    rows.map((row, place) => {
      const [label, percent = ""] = [row["Eval Task"], row["Random baseline"]];
      if (label && percent !== "" && Number.isFinite(Number(percent))) return [label, Number(percent)];
      throw unreadable(path, `row ${place + 1} has no label or no number`);
    }),
  );
}

function unreadable(path: string, found: string): ElenchusError {
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `${path} cannot be read: ${found}. Expected CSV with the columns "Eval Task" and "Random baseline", a percentage.`,
  );
}
