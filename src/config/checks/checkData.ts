import { messageOf } from "../../base/index.js";
import type { Catalog, DataFacts } from "../catalog.js";
import type { ConfigIssue } from "../issue.js";
import { redact } from "../redact.js";
import type { Config } from "../schema/config.js";
import { chosenEntry, NAMING_KEYS } from "./catalogKinds.js";
import type { Draft } from "./draft.js";
import { createReport, type Report, type Written, writtenIn } from "./report.js";

/**
 * Checks a configuration against the size of its data: for a data source whose size is known only once it is
 * loaded. Sizes that the catalog knows are checked with everything else.
 * @param written `ConfigCheck.written`: the faults then say where their keys stand
 */
export function checkData(
  config: Config,
  catalog: Catalog,
  facts: DataFacts,
  written: Written = writtenIn(null),
): ConfigIssue[] {
  const report = createReport(written, false);
  checkSizes(config, facts, report);
  checkEntries(config, catalog, facts, report);
  return report.errors;
}

/** Sizes against rows: needs no more of a configuration than these keys. */
export function checkSizes(
  { data }: Pick<Draft, "data">,
  facts: DataFacts | undefined,
  report: Report,
): void {
  const { testset_size: testRows, partition_size: rows } = data;
  if (facts && testRows !== undefined && testRows > facts.testRows) {
    report.error("DATA_INVALID", ["data", "testset_size"], {
      expected: `at most the ${facts.testRows} rows of the test set`,
    });
  }
  if (facts && rows !== undefined && rows > facts.trainRows) {
    report.error("DATA_INVALID", ["data", "partition_size"], {
      expected: `at most the ${facts.trainRows} rows of the training set`,
    });
  }
}

/** The rules of the entries that a configuration names. They may be a user's: one that throws is a fault. */
export function checkEntries(
  config: Config,
  catalog: Catalog,
  facts: DataFacts | undefined,
  report: Report,
): void {
  const shown = redact(config);
  for (const naming of NAMING_KEYS) {
    const entry = chosenEntry(config, catalog, naming);
    if (entry?.check === undefined) continue;
    try {
      for (const { path, expected } of entry.check(shown, factsFor(naming.key, facts))) {
        report.error("CONFIG_CONFLICT", path, { expected });
      }
    } catch (error) {
      report.error("CONFIG_CONFLICT", [naming.section, naming.key], {
        expected: `a ${naming.noun} that can judge the configuration; it failed: ${messageOf(error)}`,
      });
    }
  }
}

/** A sampler judges what it divides. */
function factsFor(key: string, facts: DataFacts | undefined): DataFacts | undefined {
  return key === "testset_sampler" && facts ? { ...facts, trainRows: facts.testRows } : facts;
}
