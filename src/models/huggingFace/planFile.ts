import { join } from "node:path";
import { type CausalPlan, causalPlan } from "./causalPlan.js";
import { readJson } from "./readJson.js";

const PUBLISHED = "a folder with config.json and model.safetensors, as Hugging Face models are published";

/**
 * Reads what a folder's `config.json` says, without its weights.
 * @throws INPUT_UNREADABLE where there is no readable one; CONFIG_INVALID and NAME_UNKNOWN as `causalPlan`
 */
export async function readPlan(folder: string): Promise<CausalPlan> {
  const path = join(folder, "config.json");
  return causalPlan(await readJson(path, PUBLISHED), path);
}
