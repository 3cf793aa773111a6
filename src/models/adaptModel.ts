import { ElenchusError, type Random } from "../base/index.js";
import type { VariableCausalModel } from "./causal/variableCausalModel.js";
import type { Model } from "./model.js";
import { restrictTraining } from "./trainable.js";

/** What of a model trains and travels. */
export interface Adaptation {
  /** `[parameters.lora]`. */
  readonly lora?: Readonly<Record<string, unknown>> | undefined;
  /** `trainer.trainable`. Absent: the adapters where there are any, else everything. */
  readonly trainable?: string | readonly string[] | undefined;
  /** Draws the first values of adapters. */
  readonly random: Random;
}

/**
 * Adds adapters to a new model and freezes what is not to train, as the configuration asks. Where it does not, or
 * where something is frozen already, the model stays as it is. A model that cannot be adapted is freed.
 * @throws CONFIG_INVALID for names that fit nothing; CAPABILITY_MISSING for a model that cannot have adapters, or
 *   cannot freeze weights
 */
export async function adaptModel<M extends Model>(model: M, adaptation: Adaptation): Promise<M> {
  if (model.frozen !== undefined && model.frozen.size > 0) return model;
  try {
    await adapt(model, adaptation);
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

async function adapt(model: Model, { lora, trainable, random }: Adaptation): Promise<void> {
  if (lora !== undefined) {
    if (!takesAdapters(model)) {
      throw new ElenchusError(
        "CAPABILITY_MISSING",
        `[parameters.lora] asks for adapters, which the model ${model.name} cannot have. Expected a language model: one that extends VariableCausalModel.`,
      );
    }
    const { addLora } = await import("./causal/lora/addLora.js");
    addLora(model, lora, random);
  }
  const patterns = trainable ?? (lora === undefined ? undefined : ADAPTERS);
  if (patterns !== undefined) restrictTraining(model, [patterns].flat());
}

const ADAPTERS = ["*.lora_A", "*.lora_B"];

function takesAdapters(model: Model): model is VariableCausalModel {
  return "addAdapters" in model;
}
