import type { ModelUpdateStrategy, Strategy } from "../algorithms/index.js";
import {
  type Clock,
  createRandom,
  ElenchusError,
  type Logger,
  silentLogger,
  systemClock,
} from "../base/index.js";
import type { Config } from "../config/index.js";
import { TrainingContext } from "../context/index.js";
import type { Dataset } from "../data/index.js";
import type { EvaluatorLike, Predictions } from "../evaluators/index.js";
import { adaptModel, type Model, type ModelFactory, type ModelRequest } from "../models/index.js";
import type { Weights } from "../weights/index.js";
import { throwIfAborted } from "./interruption.js";
import { LossLogCallback } from "./lossLogCallback.js";
import { RunHistory } from "./runHistory.js";
import { defaultStrategies, type StrategySet } from "./strategies/index.js";
import type {
  TestReport,
  TestRequest,
  Trainer,
  TrainerRequest,
  TrainReport,
  TrainRequest,
} from "./trainer.js";
import { checkCallbacks, type TrainerCallback } from "./trainerCallback.js";
import { evaluateTrainer } from "./trainerEvaluation.js";
import type { ScalarMetric } from "./trainerHost.js";
import { freeRest, type UnharmedModel, unharmedModel } from "./unharmedModel.js";

/** What a composable trainer is assembled from; everything but the configuration has a default. */
export interface ComposableTrainerOptions extends TrainerRequest {
  /**
   * A model, which stays its giver's, or a function that makes one, which the trainer then owns. Default:
   * the model that the configuration names.
   */
  readonly model?: Model | ModelFactory;
  /** Those to put in the place of the defaults, which the configuration names. */
  readonly strategies?: Partial<StrategySet>;
  /** Beside the default one, which logs the loss every ten batches. Each class at most once. */
  readonly callbacks?: readonly TrainerCallback[];
}

/**
 * A trainer assembled from seven strategies, each with a default made from the configuration. Replace one by
 * passing it, or make a subclass whose constructor passes it on, and register that in `trainers`.
 */
export class ComposableTrainer implements Trainer {
  readonly history = new RunHistory();
  /** Handed to evaluators with the trainer. */
  tokenizer: unknown;
  /**
   * An evaluator that is used in place of the registered one when its own configuration has the type of the
   * table; with several tables, of the first.
   */
  evaluatorOverride: EvaluatorLike | undefined = undefined;

  protected readonly config: Config;
  protected readonly logger: Logger;
  protected readonly clock: Clock;
  readonly #context: TrainingContext;
  readonly #options: ComposableTrainerOptions;
  readonly #callbacks: readonly TrainerCallback[];
  #model: Promise<Model> | undefined;
  #strategies: Promise<StrategySet> | undefined;

  /** @throws NAME_TAKEN for two callbacks of one class */
  constructor(options: ComposableTrainerOptions) {
    this.#options = options;
    this.config = options.config;
    this.tokenizer = options.tokenizer;
    this.logger = options.logger ?? silentLogger;
    this.clock = options.clock ?? systemClock;
    this.#callbacks = checkCallbacks([new LossLogCallback(this.logger), ...(options.callbacks ?? [])]);
    this.#context = new TrainingContext({
      device: options.device ?? "",
      clientId: options.clientId ?? 0,
      currentRound: options.round ?? 0,
      config: options.config,
      state: options.state ?? [],
    });
  }

  /** One for as long as the trainer lives: evaluators get the trainer, and none can take it from the others. */
  get context(): TrainingContext {
    return this.#context;
  }

  model(): Promise<Model> {
    this.#model ??= this.#makeModel();
    return this.#model;
  }

  async train(request: TrainRequest): Promise<TrainReport> {
    const model = await this.model();
    const strategies = await this.#ready();
    throwIfAborted(request.signal);
    const { runTraining } = await import("./trainingLoop.js");
    return runTraining({
      ...request,
      trainer: this,
      model,
      strategies,
      updates: this.#updates(strategies),
      callbacks: this.#callbacks,
      epochs: request.epochs ?? this.config.trainer.epochs,
      batchSize: this.config.trainer.batch_size,
      // Epochs that somebody asks for are meant.
      localSteps: request.epochs === undefined ? this.config.trainer.local_steps_per_round : undefined,
      preserved: this.config.trainer.preserve_optimizer_state
        ? (request.optimizerKey ?? "optimizer_memory")
        : undefined,
      scheduledRounds: this.config.trainer.global_lr_scheduler ? this.config.trainer.rounds : undefined,
      clock: this.clock,
    });
  }

  /** @throws WEIGHTS_INVALID when two of them send something under one name */
  async update(): Promise<Weights> {
    const model = await this.model();
    const updates = this.#updates(await this.#ready());
    const weights = new Map(
      [...model.weights()].filter(([name]) => updates.every((update) => update.travels?.(name) ?? true)),
    );
    for (const update of updates) {
      for (const [name, array] of update.getUpdatePayload?.(this.context) ?? []) {
        if (weights.has(name)) {
          throw new ElenchusError(
            "WEIGHTS_INVALID",
            `A model update strategy sends "${name}" beside the model's weights, but that name is taken. Expected a name of its own.`,
          );
        }
        weights.set(name, array);
      }
    }
    return weights;
  }

  async testModel(request: TestRequest): Promise<TestReport> {
    const model = await this.model();
    const { testing } = await this.#ready();
    throwIfAborted(request.signal);
    const value: unknown = await testing.testModel(
      model,
      this.config.trainer,
      request.testset,
      request.indices,
      this.context,
    );
    if (typeof value !== "number") {
      throw new ElenchusError(
        "TEST_FAILED",
        `The testing strategy for "${testing.metricName}" returned a ${typeof value}: expected one number.`,
      );
    }
    const scalar: ScalarMetric = {
      name: testing.metricName,
      value,
      higherIsBetter: testing.higherIsBetter,
    };
    await request.listener?.onScalar?.(scalar);
    const { evaluations } = await this.evaluate(request, scalar);
    return { scalar, evaluations };
  }

  async evaluate(request: TestRequest, scalar: ScalarMetric | null): Promise<TestReport> {
    const onServer = this.context.clientId === 0;
    const choice = request.evaluators ?? (onServer ? {} : { names: [] });
    const { anew, digest } = this.#unharmed();
    const evaluations = await evaluateTrainer({
      ...request,
      choice,
      trainer: this,
      modelAnew: anew,
      weightsDigest: digest,
      evaluatorOverride: this.evaluatorOverride,
      config: this.config,
      localMetric: scalar?.value,
      claims: this.#options.claims,
      logger: this.logger,
      clock: this.clock,
    });
    return { scalar, evaluations };
  }

  async predict(dataset: Dataset, indices: Int32Array, signal?: AbortSignal): Promise<Predictions> {
    const model = await this.model();
    const { predictRows } = await import("./prediction.js");
    return predictRows(model, dataset, indices, signal);
  }

  async inOtherProcesses(work: {
    name: string;
    of: number;
    signal: AbortSignal;
    answersFolder?: string | undefined;
  }): Promise<unknown[]> {
    const { shards } = this.#options;
    if (shards === undefined) {
      throw new ElenchusError(
        "CAPABILITY_MISSING",
        `workers = ${work.of}: this trainer was made without other processes, which a run has. Set workers = 1.`,
      );
    }
    const weights = (await this.model()).weights();
    return shards({ ...work, weights, round: this.context.currentRound, state: this.context.state });
  }

  async dispose(): Promise<void> {
    const strategies = this.#strategies;
    const model = this.#model;
    this.#strategies = undefined;
    this.#model = undefined;
    // What could not be made needs no freeing; its error has been thrown where it was asked for.
    const set = await strategies?.catch(() => undefined);
    if (set) {
      for (const strategy of this.#distinct(set).reverse()) await strategy.teardown?.(this.context);
    }
    if (typeof this.#options.model === "function") (await model?.catch(() => undefined))?.dispose();
    this.#tell({ model: undefined });
  }

  /** The strategies that take the places of those that were not passed. A subclass may make others. */
  protected makeStrategies(): Promise<StrategySet> {
    return defaultStrategies(this.config);
  }

  /** Gives model and context as they are now, whatever evaluators do to either. */
  #unharmed(): UnharmedModel {
    const { state: _, ...fields } = this.context;
    const unharmed = unharmedModel({
      current: () => this.model(),
      renewed: async (broken) => {
        const { model: given } = this.#options;
        if (typeof given === "object") return undefined;
        if (given) freeRest(broken);
        this.#model = this.#makeModel(broken);
        return this.#model;
      },
    });
    return {
      anew: async () => {
        const model = await unharmed.anew();
        this.#tell({ ...fields, model });
        return model;
      },
      digest: () => unharmed.digest(),
    };
  }

  /** @param broken a model of before that is of no use any more */
  async #makeModel(broken?: Model): Promise<Model> {
    const { model: given, configuredModel, modelRequest } = this.#options;
    let model: Model;
    if (typeof given === "function")
      model = await this.#ownModel(given, modelRequest?.() ?? this.#barePlan());
    else if (given) model = given;
    else if (configuredModel) model = await configuredModel(broken);
    else {
      throw new ElenchusError(
        "USAGE",
        "The trainer has no model. Pass `model`, or let a trainer host make the trainer: it builds the model that the configuration names.",
      );
    }
    this.#tell({ model });
    return model;
  }

  async #ownModel(make: ModelFactory, request: ModelRequest): Promise<Model> {
    const { lora, random } = request;
    return adaptModel(await make(request), { lora, trainable: this.config.trainer.trainable, random });
  }

  /** A context that somebody froze is left as it is. */
  #tell(fields: Partial<TrainingContext>): void {
    for (const [name, value] of Object.entries(fields)) Reflect.set(this.context, name, value);
  }

  /** What is known without a data source. */
  #barePlan(): ModelRequest {
    return {
      inputShape: [],
      classes: 0,
      parameters: this.config.parameters.model,
      lora: this.config.parameters.lora,
      random: createRandom(this.config.trainer.random_seed, "model"),
    };
  }

  /** The strategies, set up once. */
  #ready(): Promise<StrategySet> {
    this.#strategies ??= this.#assemble();
    return this.#strategies;
  }

  async #assemble(): Promise<StrategySet> {
    const set = { ...(await this.makeStrategies()), ...this.#options.strategies };
    for (const strategy of this.#distinct(set)) await strategy.setup?.(this.context);
    return set;
  }

  /** Every strategy once, also where one object fills two places. */
  #distinct(set: StrategySet): Strategy[] {
    return [...new Set<Strategy>([...Object.values(set), ...this.#updates(set)])];
  }

  /** The algorithm's client half, then the trainer's own. */
  #updates({ modelUpdate }: StrategySet): ModelUpdateStrategy[] {
    const { algorithmUpdate } = this.#options;
    return algorithmUpdate ? [algorithmUpdate, modelUpdate] : [modelUpdate];
  }
}
