import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ElenchusError, messageOf } from "../../base/index.js";
import { type CausalPlan, causalPlan } from "./causalPlan.js";

/**
 * Reads what a folder's `config.json` says, without its weights.
 * @throws INPUT_UNREADABLE where there is no readable one; CONFIG_INVALID and NAME_UNKNOWN as `causalPlan`
 */
export async function readPlan(folder: string): Promise<CausalPlan> {
  const path = join(folder, "config.json");
  return causalPlan(await readConfig(path), path);
}

async function readConfig(path: string): Promise<object> {
  try {
    const json: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof json === "object" && json !== null && !Array.isArray(json)) return json;
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${path} cannot be read: ${messageOf(error)}. Expected a folder with config.json and model.safetensors, as Hugging Face models are published.`,
      { cause: error },
    );
  }
  throw new ElenchusError("INPUT_UNREADABLE", `${path} holds no JSON object.`);
}
