import { adapterNames } from "./causal/lora/adapterNames.js";
import { chosenAdapters } from "./causal/lora/chosenAdapters.js";
import type { CausalPlan } from "./huggingFace/causalPlan.js";
import { linearLayersOf } from "./huggingFace/linearLayersOf.js";
import { emptyValues } from "./initialValues.js";
import { chosenWeights } from "./trainable.js";

/** What of a model is to train; as for `adaptModel`. */
export interface CheckedAdaptation {
  readonly lora?: Readonly<Record<string, unknown>> | undefined;
  readonly trainable?: string | readonly string[] | undefined;
}

/**
 * Looks whether adapters and patterns fit a model that is not built: only names are made, no weights.
 * @param model as messages name it
 * @throws CONFIG_INVALID as `adaptModel`
 */
export function checkAdaptation(
  model: string,
  plan: CausalPlan,
  { lora, trainable }: CheckedAdaptation,
): void {
  const names = [...plan.weights(emptyValues()).keys()];
  if (lora !== undefined) {
    const layers = linearLayersOf(plan);
    const { adapters } = chosenAdapters(lora, { model, family: plan.type, layers });
    names.push(...[...adapters.keys()].flatMap(adapterNames));
  }
  if (trainable !== undefined) chosenWeights([trainable].flat(), { model, names, trains: () => true });
}
