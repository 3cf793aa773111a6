import { Argument, type Command } from "commander";
import { loadModules } from "../../base/index.js";
import { presetCatalog } from "../../evaluators/index.js";
import { payloadProcessors } from "../../processors/index.js";
import { aggregations, parsers, scorers } from "../../scoring/index.js";
import { datasets, generators, processors, taskCatalog } from "../../tasks/index.js";
import { buildCatalog } from "../catalog.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";

const KINDS = [
  "evaluators",
  "tasks",
  "presets",
  "scorers",
  "parsers",
  "aggregations",
  "datasets",
  "processors",
  "generators",
  "models",
  "datasources",
  "samplers",
  "algorithms",
  "trainers",
] as const;
type Kind = (typeof KINDS)[number];

/** `elenchus list KIND`: what is registered, the user's own modules included. */
export function addListCommand(program: Command, output: Output): void {
  program
    .command("list")
    .description("show what is registered under which name")
    .addArgument(new Argument("<kind>", "what to list").choices(KINDS))
    .action(async (kind: Kind) => {
      const options = program.opts<CommonOptions>();
      await loadModules(options.import);
      const entries = await registered(kind);
      if (options.json) {
        output.stdout(`${JSON.stringify(entries)}\n`);
        return;
      }
      const width = Math.max(0, ...entries.map((entry) => entry.name.length));
      for (const entry of entries) {
        output.stdout(`${`${entry.name.padEnd(width)}  ${entry.description}`.trimEnd()}\n`);
      }
      if (entries.length === 0) output.stdout(`no ${kind} are registered\n`);
    });
}

async function registered(kind: Kind): Promise<{ name: string; description: string }[]> {
  if (kind === "tasks") return taskCatalog();
  const catalog: Readonly<Record<string, readonly { name: string; description: string }[] | undefined>> = {
    ...buildCatalog(),
    scorers: scorers.list(),
    parsers: parsers.list(),
    aggregations: aggregations.list(),
    datasets: datasets.list(),
    processors: [...payloadProcessors.list(), ...processors.list()],
    generators: generators.list(),
    presets: presetCatalog(),
  };
  return (catalog[kind] ?? []).map(({ name, description }) => ({ name, description }));
}
