import { ElenchusError } from "../base/index.js";
import { ColumnClaims, tableEntries } from "../evaluators/index.js";
import type { Weights } from "../weights/index.js";
import { throwIfAborted } from "./interruption.js";
import type {
  HostDescription,
  HostProgress,
  ScalarMetric,
  TestOutcome,
  TestTask,
  TrainerHost,
  TrainOutcome,
  TrainTask,
} from "./trainerHost.js";
import type { HostDeadlines, TrainerHostRequest } from "./trainerHostRequest.js";
import { callWorker, type WorkerCall } from "./workerCall.js";
import type { FromWorker, ToWorker } from "./workerMessages.js";
import { WorkerProcess } from "./workerProcess.js";
import { testInWorker, type WorkerTestRequest } from "./workerTest.js";

type Report = (progress: HostProgress) => void;
type Answer<K extends FromWorker["kind"]> = Extract<FromWorker, { kind: K }>;

/** A worker that has said what it has at hand. */
interface Running {
  readonly process: WorkerProcess;
  readonly description: HostDescription;
}

/**
 * Trains and tests in a worker process, which is started on first use, lives on over the rounds and is
 * started again after it has died. One at a time.
 */
export class WorkerTrainerHost implements TrainerHost {
  readonly #request: TrainerHostRequest;
  readonly #deadlines: HostDeadlines;
  readonly #claims: ColumnClaims;
  readonly #closing = new AbortController();
  #process: WorkerProcess | undefined;
  #running: Running | undefined;
  #lastId = 0;

  constructor(request: TrainerHostRequest) {
    this.#request = request;
    this.#claims = new ColumnClaims(tableEntries(request.config));
    this.#deadlines = {
      start: 120,
      answer: request.config.server.round_deadline,
      grace: 5,
      ...request.deadlines,
    };
  }

  async initialWeights(): Promise<Weights> {
    const what = "that builds the model";
    const answer = await this.#call("weights", { kind: "initial_weights", id: this.#nextId() }, { what });
    return answer.weights;
  }

  async train(task: TrainTask, signal: AbortSignal, progress?: Report): Promise<TrainOutcome> {
    const message = { kind: "train" as const, id: this.#nextId(), task };
    const what = `that trains client ${task.clientId} in round ${task.round}`;
    const answer = await this.#call("trained", message, {
      what,
      signal: this.#orClosed(signal),
      hear: progressOnly(progress),
    });
    return answer.outcome;
  }

  test(task: TestTask, signal: AbortSignal, progress?: Report): Promise<TestOutcome> {
    return this.#test({ task, scalar: null, signal, progress });
  }

  evaluate(
    task: TestTask & { names: readonly string[]; scalar: ScalarMetric | null },
    signal: AbortSignal,
    progress?: Report,
  ): Promise<TestOutcome> {
    return this.#test({ task, names: task.names, scalar: task.scalar, signal, progress });
  }

  async describe(): Promise<HostDescription> {
    return (await this.#start()).description;
  }

  async backend(): Promise<string> {
    return (await this.describe()).backend;
  }

  async close(): Promise<void> {
    this.#closing.abort(new ElenchusError("INTERRUPTED", "The trainer host was closed."));
    await this.#process?.close(this.#deadlines.grace);
  }

  #test(part: Pick<WorkerTestRequest, "task" | "names" | "scalar" | "signal" | "progress">) {
    const { config, logger, clock } = this.#request;
    const signal = this.#orClosed(part.signal);
    let hadWorked = false;
    return testInWorker({
      ...part,
      signal,
      config,
      logger,
      clock,
      claims: this.#claims,
      answer: this.#deadlines.answer,
      grace: this.#deadlines.grace,
      worker: {
        ask: async (message, hear) => {
          hadWorked = this.#running?.process.usable ?? false;
          const what = `that tests the model of round ${part.task.round}`;
          return this.#call("tested", { ...message, id: this.#nextId() }, { what, signal, hear });
        },
        hadWorked: () => hadWorked,
        kill: () => this.#process?.kill(),
      },
    });
  }

  async #call<K extends FromWorker["kind"]>(
    kind: K,
    message: Extract<ToWorker, { id: number }>,
    call: Pick<WorkerCall, "what" | "hear" | "signal">,
  ): Promise<Answer<K>> {
    const signal = call.signal ?? this.#closing.signal;
    const { process } = await this.#start(signal);
    const { answer, grace } = this.#deadlines;
    const reply = await callWorker({
      ...call,
      signal,
      process,
      message,
      seconds: answer,
      grace,
      answers: (heard) => heard.kind === kind,
    });
    return reply as Answer<K>;
  }

  /** The worker, a new one where there is none alive. */
  async #start(signal = this.#closing.signal): Promise<Running> {
    throwIfAborted(signal);
    if (this.#running?.process.usable) return this.#running;
    await this.#process?.gone;
    const { config, imports, role, logger } = this.#request;
    const process = new WorkerProcess(`${role} worker`, logger);
    this.#process = process;
    try {
      const ready = (await callWorker({
        process,
        message: { kind: "start", config, imports: [...imports], role, logLevel: logger.level },
        what: "that was to be started",
        seconds: this.#deadlines.start,
        grace: this.#deadlines.grace,
        signal,
        answers: ({ kind }) => kind === "ready",
      })) as Answer<"ready">;
      this.#running = {
        process,
        description: { backend: ready.backend, evaluators: ready.evaluators },
      };
      return this.#running;
    } catch (error) {
      process.kill();
      throw error;
    }
  }

  /** Aborts with the caller's signal and when this host is closed. */
  #orClosed(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing.signal]);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

function progressOnly(progress: Report | undefined) {
  return (message: FromWorker): undefined => {
    if (message.kind === "progress") progress?.(message.progress as HostProgress);
  };
}
