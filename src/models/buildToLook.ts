import { createRandom, type Random, silentLogger } from "../base/index.js";
import { loadBackend } from "../compute/index.js";
import type { Model } from "./model.js";

/**
 * Builds a model on the plainest back end, and frees it again: only what building throws is of interest.
 * @throws what `build` throws
 */
export async function buildToLook(build: (random: Random) => Promise<Model>): Promise<void> {
  await loadBackend("cpu", { logger: silentLogger });
  const model = await build(createRandom(1));
  model.dispose();
}
