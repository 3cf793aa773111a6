import { type Clock, createRandom, type Logger } from "../../base/index.js";
import type { Config } from "../../config/index.js";
import { type HubEnvironment, hubSettings } from "../../hub/index.js";
import { createModel, type Model } from "../../models/index.js";

/** What a run's model is built from. */
export interface RecordedModelRequest {
  readonly config: Pick<Config, "trainer" | "parameters">;
  readonly inputShape: readonly number[];
  readonly classes: number;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Default: as the environment says. */
  readonly hub?: HubEnvironment | undefined;
}

/** Builds the model of a configuration, as its trainer does; its weights are those it begins with. Dispose of it. */
export async function recordedModel(request: RecordedModelRequest): Promise<Model> {
  const { config, inputShape, classes, logger, clock } = request;
  const { trainer, parameters } = config;
  const hub = request.hub ?? { settings: hubSettings(process.env), logger, clock };
  // Only here: whoever names a model need not load TensorFlow.js.
  const { loadBackend } = await import("../../compute/index.js");
  await loadBackend(trainer.backend, { logger });
  return await createModel(trainer, {
    inputShape,
    classes,
    parameters: parameters.model,
    lora: parameters.lora,
    hub,
    random: createRandom(trainer.random_seed, "model"),
  });
}
