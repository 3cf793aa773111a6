import type { Command } from "commander";
import { loadModules } from "../../base/index.js";
import { jsonSchema } from "../../config/index.js";
import { buildCatalog } from "../catalog.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";

/** `elenchus schema`: the JSON Schema of the TOML, for editors; evaluators from `--import` included. */
export function addSchemaCommand(program: Command, output: Output): void {
  program
    .command("schema")
    .description("print the JSON Schema of the configuration")
    .action(async () => {
      const options = program.opts<CommonOptions>();
      await loadModules(options.import);
      output.stdout(`${JSON.stringify(jsonSchema(buildCatalog()), null, options.json ? 0 : 2)}\n`);
    });
}
