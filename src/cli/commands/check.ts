import type { Command } from "commander";
import { ElenchusError, type ErrorCode, loadModules, messageOf } from "../../base/index.js";
import {
  type Config,
  type ConfigCheck,
  type ConfigIssue,
  checkConfig,
  checkData,
  pathsOf,
  redact,
  renderIssue,
} from "../../config/index.js";
import {
  checkPartitions,
  describePartitions,
  formatPartitions,
  loadDatasource,
  type PartitionTable,
} from "../../data/index.js";
import { buildCatalog } from "../catalog.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";

/** Beside a configuration's own faults, those of the modules and of the data that it names. */
type Fault = Omit<ConfigIssue, "code"> & { code: ErrorCode };

/** What a check finds. */
interface Findings {
  readonly faults: readonly Fault[];
  readonly warnings: readonly ConfigIssue[];
  readonly config: Config | null;
  readonly partition?: PartitionTable;
}

/** `elenchus check CONFIG`: everything that can be known before round 1, without starting anything. */
export function addCheckCommand(program: Command, output: Output): void {
  program
    .command("check")
    .description("validate a configuration and print it resolved")
    .argument("<config>", "TOML file")
    .option("--partition", "show which client holds what")
    .action(async (path: string, own: { partition?: boolean }) => {
      const options = program.opts<CommonOptions>();
      const { faults, warnings, config, partition } = await findings(path, options, own.partition === true);
      const ok = faults.length === 0;
      const resolved = config === null ? null : redact(config);

      if (options.json) {
        const document = { ok, errors: faults, config: resolved, ...(partition && { partition }) };
        output.stdout(`${JSON.stringify(document)}\n`);
      } else {
        for (const warning of warnings) output.stderr(`warn: ${renderIssue(warning)}\n`);
        if (ok) output.stdout(`${JSON.stringify(resolved, null, 2)}\n`);
        if (partition) output.stdout(`\n${formatPartitions(partition)}\n`);
      }
      if (!ok) throw failure(faults);
    });
}

async function findings(path: string, options: CommonOptions, describe: boolean): Promise<Findings> {
  const imports = await importFault(options.import);
  if (imports !== null) return { faults: [imports], warnings: [], config: null };
  const check = checkConfig({ path }, buildCatalog(), options);
  const { errors, warnings, config } = check;
  const rows = config === null ? { faults: [] } : await checkRows(config, check, describe);
  return { ...rows, faults: [...errors, ...rows.faults], warnings, config };
}

/** Without the modules that are to be loaded, nothing can be said of the names in the file. */
async function importFault(modules: readonly string[]): Promise<Fault | null> {
  try {
    await loadModules(modules);
    return null;
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    return fault(error, { file: "--import", key: "import", value: error.details.module ?? null });
  }
}

/** What only the rows can tell: whether every partition can be filled, and who holds what. */
async function checkRows(
  config: Config,
  { sources }: ConfigCheck,
  describe: boolean,
): Promise<{ faults: readonly Fault[]; partition?: PartitionTable }> {
  const file = sources[0] ?? null;
  let place = { file, key: "data.datasource", value: config.data.datasource };
  try {
    const datasource = await loadDatasource(config.data, pathsOf(config).data);
    const { trainset, testset } = datasource;
    const facts = { trainRows: trainset.length, testRows: testset.length, classes: trainset.classes };
    const faults = checkData(config, buildCatalog(), facts);
    if (faults.length > 0) return { faults: faults.map((one) => ({ ...one, file })) };
    place = { file, key: "data.sampler", value: config.data.sampler };
    checkPartitions(config, datasource);
    return describe ? { faults: [], partition: describePartitions(config, datasource) } : { faults: [] };
  } catch (error) {
    return { faults: [fault(error, place)] };
  }
}

function fault(error: unknown, place: Pick<Fault, "file" | "key" | "value">): Fault {
  const code = error instanceof ElenchusError ? error.code : "DATA_INVALID";
  return { code, ...place, line: null, expected: messageOf(error), suggestion: null };
}

function failure(faults: readonly Fault[]): ElenchusError {
  const [first] = faults;
  const code =
    first?.code === "IMPORT_FAILED" || first?.code === "CONFIG_UNREADABLE" ? first.code : "CONFIG_INVALID";
  const count = faults.length === 1 ? "one error" : `${faults.length} errors`;
  return new ElenchusError(code, `The configuration has ${count}:\n${faults.map(line).join("\n")}`, {
    details: { documentPrinted: true },
  });
}

/** A configuration's own faults are rendered by it; of the others the message says all. */
function line(one: Fault): string {
  if (one.code.startsWith("CONFIG_") || one.line !== null) return renderIssue(one as ConfigIssue);
  return `${one.file}: ${one.key} = ${JSON.stringify(one.value)}: ${one.expected}`;
}
