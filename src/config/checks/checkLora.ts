import { loraSchema } from "../schema/lora.js";
import { checkOptions } from "./checkOptions.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** Checks `[parameters.lora]` key by key. Its defaults go into the draft. */
export function checkLora(draft: Draft, report: Report): void {
  const { algorithm, server, parameters } = draft;
  if (parameters.lora !== undefined) {
    const table = { schema: loraSchema, values: parameters.lora, path: ["parameters", "lora"] };
    parameters.lora = checkOptions({ ...table, reader: "[parameters.lora]" }, report);
    return;
  }
  if (algorithm.type !== ADAPTERS_ONLY && server.type !== ADAPTERS_ONLY) return;
  report.error("CONFIG_MISSING_KEY", ["parameters", "lora"], {
    expected: `a table [parameters.lora], whose adapters "${ADAPTERS_ONLY}" averages`,
  });
}

/** Plato's name of federated averaging where it is adapters that travel. */
const ADAPTERS_ONLY = "fedavg_lora";
