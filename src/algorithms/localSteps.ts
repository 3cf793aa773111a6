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
  #firstRate = 0;

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
    if (this.#firstRate === 0) this.#firstRate = learningRate;
  }

  /** Updates of the weights. */
  get updates(): number {
    return this.#updates;
  }

  /** In units of the weights per unit of gradient; 0 without updates. */
  get distance(): number {
    return this.#distance;
  }

  /**
   * The distance in units of the first rate that is not 0, the vector norm ||a||_1 of the paper: the number of updates for
   * plain SGD at a constant rate, and never less than 1 with any update; 0 without.
   */
  get relative(): number {
    return this.#firstRate === 0 ? 0 : this.#distance / this.#firstRate;
  }
}

/**
 * The most that `relative` can be on a client of this configuration: every update at the full length that momentum
 * gathers. Undefined where the number of updates or the course of the rate leaves it open.
 * @param samples the most that a client trains on
 */
export function mostRelativeSteps(
  { trainer, parameters }: OptimizerFacts,
  samples: number | undefined,
): number | undefined {
  const { epochs, batch_size: batch, local_steps_per_round: steps, lr_scheduler: scheduler } = trainer;
  const { momentum = 0 } = parameters.optimizer as { momentum?: unknown };
  const warms = Object.keys(parameters.learning_rate).some((key) => key.startsWith("warmup"));
  if (scheduler !== undefined || warms || (steps === undefined && samples === undefined)) return undefined;
  const updates = steps ?? epochs * Math.ceil(samples! / batch);
  return updates / (1 - (trainer.optimizer === "SGD" ? Number(momentum) : 0));
}
