import type { Command } from "commander";
import { ElenchusError, loadModules } from "../../base/index.js";
import {
  type ConfigCheck,
  type ConfigIssue,
  checkConfig,
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

/** `elenchus check CONFIG`: everything that can be known before round 1, without starting anything. */
export function addCheckCommand(program: Command, output: Output): void {
  program
    .command("check")
    .description("validate a configuration and print it resolved")
    .argument("<config>", "TOML file")
    .option("--partition", "show which client holds what")
    .action(async (path: string, own: { partition?: boolean }) => {
      const options = program.opts<CommonOptions>();
      await loadModules(options.import);
      const check = checkConfig({ path }, buildCatalog(), options);
      const { errors, partition } = await checkData(check, own.partition === true);
      const config = check.config === null ? null : redact(check.config);
      const ok = errors.length === 0;

      if (options.json) {
        const document = { ok, errors, config, ...(partition && { partition }) };
        output.stdout(`${JSON.stringify(document)}\n`);
      } else {
        for (const warning of check.warnings) output.stderr(`warn: ${renderIssue(warning)}\n`);
        if (ok) output.stdout(`${JSON.stringify(config, null, 2)}\n`);
        if (partition) output.stdout(`\n${formatPartitions(partition)}\n`);
      }
      if (ok) return;
      const count = errors.length === 1 ? "one error" : `${errors.length} errors`;
      const unreadable = errors.some((issue) => issue.code === "CONFIG_UNREADABLE");
      throw new ElenchusError(
        unreadable ? "CONFIG_UNREADABLE" : "CONFIG_INVALID",
        `The configuration has ${count}:\n${errors.map(renderIssue).join("\n")}`,
        { details: { documentPrinted: true } },
      );
    });
}

/** What only the data can tell: whether every partition can be filled, and who holds what. */
async function checkData(
  check: ConfigCheck,
  describe: boolean,
): Promise<{ errors: ConfigIssue[]; partition?: PartitionTable }> {
  const errors = [...check.errors];
  const { config } = check;
  if (config === null) return { errors };
  try {
    const datasource = await loadDatasource(config.data, pathsOf(config).data);
    checkPartitions(config, datasource);
    return describe ? { errors, partition: describePartitions(config, datasource) } : { errors };
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    const issue: ConfigIssue = {
      code: "DATA_INVALID",
      file: check.sources[0] ?? null,
      line: null,
      key: "data",
      value: null,
      expected: error.message,
      suggestion: null,
    };
    return { errors: [...errors, issue] };
  }
}
