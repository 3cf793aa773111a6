import { silentLogger, systemClock } from "../../base/index.js";
import { hubSettings } from "../../hub/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import type { RunReference } from "./modelReference.js";
import type { ModelSurroundings } from "./modelSurroundings.js";

/**
 * The tokenizer alone of a run's model: that of its data, which is read for it.
 * @returns undefined for data that has none
 * @throws as `openModel`
 */
export async function openRunTokenizer(
  reference: RunReference,
  surroundings: ModelSurroundings,
): Promise<Tokenizer | undefined> {
  const { logger = silentLogger, clock = systemClock } = surroundings;
  const hub = surroundings.hub ?? { settings: hubSettings(process.env), logger, clock };
  // Only here: what reads data and trains is large.
  const { findCheckpoint } = await import("./runModel.js");
  const { pathsOf } = await import("../../config/index.js");
  const { loadDatasource } = await import("../../data/index.js");
  const { config } = await findCheckpoint(reference, surroundings);
  return (await loadDatasource(config.data, pathsOf(config).data, { ...config, hub })).tokenizer;
}
