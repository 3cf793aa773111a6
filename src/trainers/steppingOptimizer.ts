import type { GradientRequest, ModelUpdateStrategy, Optimizer } from "../algorithms/index.js";

/** Whose gradients are adjusted, and by whom, one after the other. */
export type Adjusting = Pick<GradientRequest, "model" | "context"> & {
  readonly updates: readonly ModelUpdateStrategy[];
};

/**
 * An optimizer as training steps see it: whatever step is made with it, the model update strategies get the gradients
 * first. So they need not know how a step comes by its gradients, nor a training step of the strategies.
 */
export function steppingOptimizer(optimizer: Optimizer, { updates, model, context }: Adjusting): Optimizer {
  const adjusting = updates.filter((update) => update.adjustGradients !== undefined);
  if (adjusting.length === 0) return optimizer;
  return {
    get learningRate() {
      return optimizer.learningRate;
    },
    set learningRate(rate) {
      optimizer.learningRate = rate;
    },
    step(variables, gradients) {
      let adjusted = gradients;
      for (const update of adjusting) {
        adjusted = update.adjustGradients!({ gradients: adjusted, model, optimizer, context });
      }
      optimizer.step(variables, adjusted);
    },
    dispose: () => optimizer.dispose(),
  };
}
