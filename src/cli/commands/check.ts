import type { Command } from "commander";
import { ElenchusError, loadModules, silentLogger, systemClock } from "../../base/index.js";
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
  type Datasource,
  describePartitions,
  formatPartitions,
  loadDatasource,
  type PartitionTable,
} from "../../data/index.js";
import { prepareEvaluators } from "../../evaluators/index.js";
import { type HubEnvironment, hubSettings } from "../../hub/index.js";
import type { ModelFacts } from "../../models/index.js";
import { isChartFile, partitionChart, writeChart } from "../../results/index.js";
import { readServerTls } from "../../server/index.js";
import { trainerEvaluations } from "../../trainers/index.js";
import { buildCatalog } from "../catalog.js";
import type { CommonOptions } from "../commonOptions.js";
import { type Fault, faultLine, faultsOf } from "../faults.js";
import type { Output } from "../output.js";
import { checkNamedModel } from "../preparedRun.js";

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
    .argument("[config]", "TOML file")
    .option("--partition [file]", "show which client holds what; drawn into a file that ends in .svg or .png")
    .action(async (first: string | undefined, own: { partition?: true | string }) => {
      const options = program.opts<CommonOptions>();
      const { path, describe, chart } = wishes(first, own.partition);
      const { faults, warnings, config, partition } = await findings(path, options, describe);
      if (partition && chart !== undefined) await writeChart(chart, partitionChart(partition));
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

/** `--partition CONFIG` is the option without a file and the configuration behind it. */
function wishes(first: string | undefined, partition: true | string | undefined) {
  const file = typeof partition === "string" ? partition : undefined;
  const path = first ?? file;
  if (path === undefined) {
    throw new ElenchusError("USAGE", "check needs a configuration. Expected elenchus check CONFIG.toml.");
  }
  if (first !== undefined && file !== undefined && !isChartFile(file)) {
    throw new ElenchusError(
      "USAGE",
      `--partition ${file}: the chart cannot be written there. Expected a name that ends in .svg or .png.`,
    );
  }
  return { path, describe: partition !== undefined, chart: first === undefined ? undefined : file };
}

async function findings(path: string, options: CommonOptions, describe: boolean): Promise<Findings> {
  const imports = await importFault(options.import);
  if (imports !== null) return { faults: [imports], warnings: [], config: null };
  const check = checkConfig({ path }, buildCatalog(), options);
  const { errors, warnings, config } = check;
  if (config === null) return { faults: errors, warnings, config };
  const { datasource, ...rows } = await checkRows(config, check, describe);
  const { model, faults: ofModel } = await checkBuilding(config, datasource, check);
  const evaluators = datasource === undefined ? [] : await evaluatorFaults(config, datasource, model, check);
  const tls = await tlsFaults(config, check);
  return {
    ...rows,
    faults: [...errors, ...tls, ...rows.faults, ...ofModel, ...evaluators],
    warnings,
    config,
  };
}

/** Without the modules that are to be loaded, nothing can be said of the names in the file. */
async function importFault(modules: readonly string[]): Promise<Fault | null> {
  try {
    await loadModules(modules);
    return null;
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    return importFaultOf(error);
  }
}

/** What only the rows can tell: whether every partition can be filled, and who holds what. */
async function checkRows(
  config: Config,
  { written }: ConfigCheck,
  describe: boolean,
): Promise<{ faults: readonly Fault[]; partition?: PartitionTable; datasource?: Datasource }> {
  let key: readonly string[] = ["data", "datasource"];
  try {
    const datasource = await loadDatasource(config.data, pathsOf(config).data, {
      ...config,
      hub: quietHub(),
    });
    const { trainset, testset } = datasource;
    const facts = { trainRows: trainset.length, testRows: testset.length, classes: trainset.classes };
    const faults = checkData(config, buildCatalog(), facts, written);
    if (faults.length > 0) return { faults, datasource };
    key = ["data", "sampler"];
    checkPartitions(config, datasource);
    if (!describe) return { faults: [], datasource };
    return { faults: [], partition: describePartitions(config, datasource), datasource };
  } catch (error) {
    return { faults: faultsOf(error, written, key, "DATA_INVALID") };
  }
}

/** What would keep every process from building the model: a missing folder, tokens that it does not have. */
async function checkBuilding(
  config: Config,
  datasource: Datasource | undefined,
  { written }: ConfigCheck,
): Promise<{ model?: ModelFacts | undefined; faults: readonly Fault[] }> {
  if (datasource === undefined) return { faults: [] };
  try {
    return {
      model: await checkNamedModel(config, datasource, { hub: quietHub(), mayBuild: true }),
      faults: [],
    };
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    // A name inside a file is unknown, not one of the configuration.
    const code = error.code === "NAME_UNKNOWN" ? "CONFIG_INVALID" : error.code;
    return { faults: faultsOf(error, written, ["trainer", "model_name"], code) };
  }
}

/** What would keep the server from speaking TLS. */
async function tlsFaults({ server }: Config, { written }: ConfigCheck): Promise<readonly Fault[]> {
  try {
    await readServerTls(server, systemClock);
    return [];
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    return faultsOf(error, written, ["server", "tls_cert"], error.code);
  }
}

/** What would keep an evaluator from evaluating: rows that are nowhere, tasks that there are not. */
async function evaluatorFaults(
  config: Config,
  { tokenizer }: Datasource,
  model: ModelFacts | undefined,
  { written }: ConfigCheck,
): Promise<readonly Fault[]> {
  try {
    await prepareEvaluators({
      config,
      tokenizer,
      model,
      hub: quietHub(),
      declared: trainerEvaluations(config),
    });
    return [];
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    // Like modules and data, these faults say all in their message.
    return faultsOf(error, written, ["evaluation"], "CONFIG_INVALID");
  }
}

function quietHub(): HubEnvironment {
  return { settings: hubSettings(process.env), logger: silentLogger, clock: systemClock };
}

function importFaultOf(error: ElenchusError): Fault {
  const value = error.details.module ?? null;
  return {
    code: error.code,
    file: "--import",
    line: null,
    key: "import",
    value,
    expected: error.message,
    suggestion: null,
  };
}

function failure(faults: readonly Fault[]): ElenchusError {
  const [first] = faults;
  const code =
    first?.code === "IMPORT_FAILED" || first?.code === "CONFIG_UNREADABLE" ? first.code : "CONFIG_INVALID";
  const count = faults.length === 1 ? "one error" : `${faults.length} errors`;
  return new ElenchusError(code, `The configuration has ${count}:\n${faults.map(faultLine).join("\n")}`, {
    details: { documentPrinted: true },
  });
}
