import { type Algorithm, algorithms, type ModelUpdateStrategy } from "../algorithms/index.js";
import { createRandom, ElenchusError, type ErrorCode, messageOf, type Pace } from "../base/index.js";
import { loadBackend } from "../compute/index.js";
import { pathsOf } from "../config/index.js";
import {
  type ClientRows,
  type Datasource,
  loadDatasource,
  type Partitioner,
  partitioner,
  testPartitioner,
  testSubset,
} from "../data/index.js";
import {
  ColumnClaims,
  dueEvaluations,
  type EvaluationOutcome,
  evaluateShard,
  registry,
  tableEntries,
} from "../evaluators/index.js";
import { type HubEnvironment, hubSettings } from "../hub/index.js";
import { createModel, type Model, type ModelRequest } from "../models/index.js";
import type { Weights } from "../weights/index.js";
import { trainClient } from "./clientWork.js";
import { interruption, throwIfAborted } from "./interruption.js";
import { portableState } from "./portableState.js";
import { ShardWorkers } from "./shardWorkers.js";
import type { StepProgress, TestListener, TestReport, TestRequest, Trainer } from "./trainer.js";
import type {
  HostDescription,
  HostProgress,
  ScalarMetric,
  ShardTask,
  TestOutcome,
  TestTask,
  TrainerHost,
  TrainOutcome,
  TrainTask,
} from "./trainerHost.js";
import type { TrainerHostRequest } from "./trainerHostRequest.js";
import { trainers } from "./trainerRegistry.js";
import { freeRest, isFreed } from "./unharmedModel.js";

/** Hears of a test's parts, with `context.state` as it is at that moment. Every answer is waited for. */
export interface HostListener {
  onScalar(scalar: ScalarMetric, state: ReadonlyMap<string, unknown>): void | Promise<void>;
  onEvaluatorStart(name: string, timeout: number): void | Promise<void>;
  onOutcome(outcome: EvaluationOutcome, state: ReadonlyMap<string, unknown>): void | Promise<void>;
}

/** Milliseconds between two words on the progress of training. */
const PROGRESS_EVERY = 100;

/** What every task says of itself. */
interface TrainerTask {
  /** 0 is the server. */
  readonly clientId: number;
  readonly round: number;
  readonly state: ReadonlyMap<string, unknown>;
}

type Report = (progress: HostProgress) => void;
type State = ReadonlyMap<string, unknown>;
/** What is done with a trainer. `state` is its context's, kept from before anybody could put another there. */
type Work<T> = (trainer: Trainer, state: State) => Promise<T>;

/**
 * Trains and tests in this process. Back end, data and model are made once; a trainer is made anew for
 * every task, so that nothing but weights and `state` passes from one logical client to the next.
 */
export class LocalTrainerHost implements TrainerHost {
  readonly #request: TrainerHostRequest;
  readonly #warnedOf = new Set<string>();
  readonly #claims: ColumnClaims;
  readonly #shards: ShardWorkers;
  readonly #closing = new AbortController();
  #backend: Promise<string> | undefined;
  #datasource: Promise<Datasource> | undefined;
  #partitioner: Partitioner | undefined;
  #testPartitioner: ((clientId: number) => ClientRows) | undefined;
  #model: Promise<Model> | undefined;
  /** Settles with the task that is under way. */
  #current: Promise<unknown> = Promise.resolve();

  constructor(request: TrainerHostRequest) {
    this.#request = request;
    this.#claims = new ColumnClaims(tableEntries(request.config));
    this.#shards = new ShardWorkers(request);
  }

  async initialWeights(): Promise<Weights> {
    // The model that is there may have learnt already.
    await this.#disposeModel();
    const task = { clientId: 0, round: 0, state: new Map<string, unknown>() };
    return this.#work("TRAINING_FAILED", this.#closing.signal, task, async (trainer) =>
      (await trainer.model()).weights(),
    );
  }

  train(task: TrainTask, outer: AbortSignal, progress?: Report): Promise<TrainOutcome> {
    const signal = this.#orClosed(outer);
    const { clientId } = task;
    return this.#tracked("TRAINING_FAILED", signal, task, async () => {
      const { config } = this.#request;
      return trainClient({
        task,
        config,
        algorithm: await this.#algorithm(),
        trainRows: (await this.#partitions())(clientId),
        testRows: (await this.#testPartitions())(clientId),
        withTrainer: ({ update, state }, work) => this.#withTrainer({ ...task, state }, work, update),
        portable: (state) => this.#portable(state),
        signal,
        stepProgress: this.#seldom((done, total, loss) =>
          progress?.({ stage: "train", clientId, done, total, note: loss.toPrecision(4) }),
        ),
        progress,
      });
    });
  }

  test(
    task: TestTask,
    signal: AbortSignal,
    progress?: Report,
    listener?: HostListener,
  ): Promise<TestOutcome> {
    const choice = { lastRound: task.lastRound };
    return this.#test(task, choice, signal, progress, listener, (trainer, request) => {
      progress?.({ stage: "test", clientId: 0, done: 0, total: 1 });
      return trainer.testModel(request);
    });
  }

  evaluate(
    task: TestTask & { names: readonly string[]; scalar: ScalarMetric | null },
    signal: AbortSignal,
    progress?: Report,
    listener?: HostListener,
  ): Promise<TestOutcome> {
    const choice = { lastRound: task.lastRound, names: task.names };
    return this.#test(task, choice, signal, progress, listener, (trainer, request) =>
      trainer.evaluate(request, task.scalar),
    );
  }

  /** Does a part of an evaluator's work, on these weights; what it gives can be cloned. */
  shard(task: ShardTask, outer: AbortSignal): Promise<unknown> {
    const signal = this.#orClosed(outer);
    return this.#work("TEST_FAILED", signal, { ...task, clientId: 0 }, async (trainer) => {
      const { testset } = await this.#data();
      const model = await trainer.model();
      model.loadWeights(task.weights);
      return evaluateShard(task, {
        model,
        trainer,
        tokenizer: trainer.tokenizer,
        context: trainer.context,
        config: this.#request.config,
        testset,
        sampler: testSubset(this.#request.config.data, testset),
        localMetric: undefined,
        signal,
        logger: this.#request.logger,
        round: task.round,
        clientId: 0,
        answersFolder: task.answersFolder,
      });
    });
  }

  async describe(): Promise<HostDescription> {
    return { backend: await this.backend(), evaluators: registry.registeredNames() };
  }

  backend(): Promise<string> {
    const { config, logger } = this.#request;
    this.#backend ??= loadBackend(config.trainer.backend, { logger }).then(({ name }) => name);
    return this.#backend;
  }

  async close(): Promise<void> {
    this.#closing.abort(new ElenchusError("INTERRUPTED", "The trainer host was closed."));
    await this.#current;
    await this.#shards.close();
    await this.#disposeModel();
  }

  async #disposeModel(): Promise<void> {
    const model = this.#model;
    this.#model = undefined;
    freeRest(await model?.catch(() => undefined));
  }

  #test(
    task: TestTask,
    choice: { lastRound: boolean; names?: readonly string[] },
    outer: AbortSignal,
    progress: Report | undefined,
    listener: HostListener | undefined,
    run: (trainer: Trainer, request: TestRequest) => Promise<TestReport>,
  ): Promise<TestOutcome> {
    const signal = this.#orClosed(outer);
    return this.#work("TEST_FAILED", signal, { ...task, clientId: 0 }, async (trainer, state) => {
      const { testset } = await this.#data();
      const indices = testSubset(this.#request.config.data, testset);
      (await trainer.model()).loadWeights(task.weights);
      const total = dueEvaluations(this.#request.config, { ...choice, round: task.round }).length;
      const listening = this.#listen(state, total, progress, listener);
      const report = await run(trainer, {
        testset,
        indices,
        signal,
        evaluators: choice,
        listener: listening,
        samplesFolder: task.samplesFolder,
        answersFolder: task.answersFolder,
      });
      throwIfAborted(signal);
      return { ...report, state: this.#portable(state) };
    });
  }

  /** Lets the first step through, the last, and one every tenth of a second. */
  #seldom(report: StepProgress): StepProgress {
    const { clock } = this.#request;
    let next = Number.NEGATIVE_INFINITY;
    return (done, total, loss) => {
      const now = clock.monotonic();
      if (now < next && done < total) return;
      next = now + PROGRESS_EVERY;
      report(done, total, loss);
    };
  }

  /** Puts the state beside what a trainer tells, and progress beside both. */
  #listen(
    state: State,
    total: number,
    progress: Report | undefined,
    listener: HostListener | undefined,
  ): TestListener {
    let done = 0;
    const report = (note: string, pace?: Pace) =>
      progress?.({ stage: "evaluate", clientId: 0, done, total, note, ...(pace && { pace }) });
    return {
      onScalar: (scalar) => listener?.onScalar(scalar, this.#portable(state)),
      onEvaluatorStart: (name, timeout) => {
        report(name);
        return listener?.onEvaluatorStart(name, timeout);
      },
      onProgress: report,
      onOutcome: (outcome) => {
        done += 1;
        report(outcome.name);
        return listener?.onOutcome(outcome, this.#portable(state));
      },
    };
  }

  /** Aborts with the caller's signal and when this host is closed. */
  #orClosed(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing.signal]);
  }

  /** Makes a trainer, lets it work and frees it. Whatever is thrown leaves as an error with a code. */
  #work<T>(code: ErrorCode, signal: AbortSignal, task: TrainerTask, work: Work<T>): Promise<T> {
    return this.#tracked(code, signal, task, () => this.#withTrainer(task, work));
  }

  #tracked<T>(code: ErrorCode, signal: AbortSignal, task: TrainerTask, work: () => Promise<T>): Promise<T> {
    const result = this.#guarded(code, signal, task, work);
    this.#current = result.catch(() => {});
    return result;
  }

  async #guarded<T>(
    code: ErrorCode,
    signal: AbortSignal,
    task: TrainerTask,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      throwIfAborted(signal);
      return await work();
    } catch (error) {
      if (signal.aborted) throw interruption(signal);
      if (error instanceof ElenchusError) throw error;
      const whose = task.clientId === 0 ? "of the server" : `of client ${task.clientId}`;
      throw new ElenchusError(
        code,
        `The trainer ${whose} failed in round ${task.round}: ${messageOf(error)}.`,
        { cause: error },
      );
    }
  }

  async #withTrainer<T>(task: TrainerTask, work: Work<T>, update?: ModelUpdateStrategy): Promise<T> {
    const trainer = await this.#makeTrainer(task, update);
    try {
      return await work(trainer, trainer.context.state);
    } finally {
      await trainer.dispose();
    }
  }

  async #algorithm(): Promise<Algorithm> {
    const { config } = this.#request;
    return algorithms.lookup(config.algorithm.type)(config.algorithm, config);
  }

  /** @param update the algorithm's client half, where the trainer trains for a client */
  async #makeTrainer(task: TrainerTask, update: ModelUpdateStrategy | undefined): Promise<Trainer> {
    const { config, logger, clock } = this.#request;
    const device = await this.backend();
    const plan = await this.#modelPlan();
    const { tokenizer } = await this.#data();
    return trainers.lookup(config.trainer.type)({
      config,
      clientId: task.clientId,
      round: task.round,
      device,
      // A copy, so that what the trainer does to an entry stays with it.
      state: portableState(task.state).state,
      configuredModel: (broken) => this.#configuredModel(plan, broken),
      modelRequest: plan,
      tokenizer,
      claims: this.#claims,
      shards: (work) => this.#shards.run(work),
      algorithmUpdate: update,
      logger,
      clock,
    });
  }

  /** One for all tasks, as long as it is of use. */
  async #configuredModel(plan: () => ModelRequest, broken: Model | undefined): Promise<Model> {
    const held = await this.#model;
    if (held && (held === broken || isFreed(held))) await this.#disposeModel();
    this.#model ??= createModel(this.#request.config.trainer, plan());
    return this.#model;
  }

  async #modelPlan(): Promise<() => ModelRequest> {
    const { config } = this.#request;
    const { trainset } = await this.#data();
    return () => ({
      inputShape: trainset.inputShape,
      classes: trainset.classes,
      parameters: config.parameters.model,
      lora: config.parameters.lora,
      modelName: config.trainer.model_name,
      modelRevision: config.trainer.model_revision,
      hub: this.#hub(),
      random: createRandom(config.trainer.random_seed, "model"),
    });
  }

  #data(): Promise<Datasource> {
    const { config } = this.#request;
    this.#datasource ??= loadDatasource(config.data, pathsOf(config).data, { ...config, hub: this.#hub() });
    return this.#datasource;
  }

  async #partitions(): Promise<Partitioner> {
    const { trainset } = await this.#data();
    this.#partitioner ??= partitioner(this.#request.config, trainset);
    return this.#partitioner;
  }

  async #testPartitions(): Promise<(clientId: number) => ClientRows> {
    const { testset } = await this.#data();
    this.#testPartitioner ??= testPartitioner(this.#request.config, testset);
    return this.#testPartitioner;
  }

  #hub(): HubEnvironment {
    const { logger, clock } = this.#request;
    return { settings: hubSettings(process.env), logger, clock };
  }

  #portable(whole: State): Map<string, unknown> {
    const { state, dropped } = portableState(whole);
    const news = dropped.filter((key) => !this.#warnedOf.has(key));
    for (const key of news) this.#warnedOf.add(key);
    if (news.length > 0) {
      this.#request.logger.warn(
        `context.state keeps only values that can be cloned; dropped: ${news.map((key) => JSON.stringify(key)).join(", ")}.`,
      );
    }
    return state;
  }
}
