/** What a training context is made from. */
export interface TrainingContextInit {
  model?: unknown;
  device?: string;
  clientId?: number;
  currentEpoch?: number;
  currentRound?: number;
  config?: unknown;
  state?: Iterable<readonly [string, unknown]>;
}

/**
 * What strategies, callbacks and evaluators share while a model is trained or tested. `state` is a free
 * bag: whatever they want to tell one another goes there, under names of their own.
 */
export class TrainingContext {
  /** The live model. */
  model: unknown;
  /** The compute back end the model lives on, for example `"wasm"`. */
  device: string;
  /** The logical client, from 1; 0 is the server. */
  clientId: number;
  /** Local epoch, from 1; 0 before the first. */
  currentEpoch: number;
  /** Round, from 1; 0 before the first. */
  currentRound: number;
  /** The resolved configuration. */
  config: unknown;
  /** The same map for as long as the context lives: it can be filled and emptied, but not replaced. */
  readonly state!: Map<string, unknown>;

  constructor(init: TrainingContextInit = {}) {
    this.model = init.model;
    this.device = init.device ?? "";
    this.clientId = init.clientId ?? 0;
    this.currentEpoch = init.currentEpoch ?? 0;
    this.currentRound = init.currentRound ?? 0;
    this.config = init.config;
    // Evaluators and strategies are a user's code: one that put something else here, or methods of its own on
    // the map, would take it from all others. Frozen, a map still takes entries.
    const state = Object.freeze(new Map(init.state ?? []));
    const forGood = { writable: false, configurable: false, enumerable: true };
    Object.defineProperty(this, "state", { value: state, ...forGood });
  }
}
