import type { Config } from "../config/index.js";

/** What of the configuration says how an optimizer turns gradients into steps. */
export type OptimizerFacts = Pick<Config, "trainer" | "parameters">;

/**
 * How far a constant gradient of 1 would have carried the weights in a client's local training: the sum over updates
 * of the learning rate times the momentum gathered by then. For plain SGD that is the learning rate times the
 * number of updates; for SGD with momentum the norm ||a||_1 of Wang et al. 2020 (section 4.2) times the rate. Optimizers
 * of other kinds count as plain SGD.
 */
export class LocalSteps {
  readonly #momentum: number;
  readonly #dampening: number;
  readonly #nesterov: boolean;
  #gathered = 0;
  #updates = 0;
  #distance = 0;

  constructor({ trainer, parameters }: OptimizerFacts) {
    const options = parameters.optimizer as { momentum?: unknown; dampening?: unknown; nesterov?: unknown };
    const isSgd = trainer.optimizer === "SGD";
    this.#momentum = isSgd ? Number(options.momentum ?? 0) : 0;
    this.#dampening = isSgd ? Number(options.dampening ?? 0) : 0;
    this.#nesterov = isSgd && options.nesterov === true;
  }

  /** Counts an update. */
  count(learningRate: number): void {
    const fresh = this.#updates === 0 ? 1 : 1 - this.#dampening;
    this.#gathered = this.#momentum * this.#gathered + fresh;
    const step = this.#nesterov ? 1 + this.#momentum * this.#gathered : this.#gathered;
    this.#distance += learningRate * (this.#momentum === 0 ? 1 : step);
    this.#updates += 1;
  }

  /** Updates of the weights. */
  get updates(): number {
    return this.#updates;
  }

  /** In units of the weights per unit of gradient; 0 without updates. */
  get distance(): number {
    return this.#distance;
  }
}
