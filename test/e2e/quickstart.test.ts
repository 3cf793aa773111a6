import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("quickstart");
const quickstart = fileURLToPath(new URL("../../configs/quickstart.toml", import.meta.url));

describe("the main job", () => {
  it("learns to read handwriting to 0.90 and leaves a CSV that says so", { timeout: 180_000 }, async () => {
    const { status, stdout, stderr } = await elenchus(
      ["run", quickstart, "--json", "--run-id", "first"],
      folder,
      170,
    );
    expect(stderr).not.toMatch(/warn|error/);
    expect(status).toBe(0);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      run_id: "first",
      status: "completed",
      rounds: 10,
      csv: join(folder, "runtime", "results", "first.csv"),
    });
    expect(document.last_row.accuracy).toBeGreaterThanOrEqual(0.9);

    const rows: Record<string, string>[] = parse(readFileSync(document.csv), { columns: true });
    expect(rows.map((row) => Number(row.round))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const row of rows) {
      // The evaluator asks the same model on the same test set: it must agree with the scalar to the bit.
      expect(row.evaluation_accuracy).toBe(row.accuracy);
      expect(row.evaluation_status).toBe("ok");
    }
    expect(Object.keys(rows[0]!).slice(0, 7)).toEqual([
      "round",
      "accuracy",
      "elapsed_time",
      "train_loss",
      "comm_overhead",
      "evaluation_primary_value",
      "evaluation_status",
    ]);
  });
});
