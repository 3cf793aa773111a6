import { type Clock, ElenchusError, type Logger } from "../base/index.js";
import type { Config } from "../config/index.js";
import {
  applyOutcomes,
  type ColumnClaims,
  clearEvaluationState,
  dueEvaluations,
  type EvaluationOutcome,
  failedOutcome,
  failureLine,
  type TableEntry,
} from "../evaluators/index.js";
import type { HostProgress, ScalarMetric, TestOutcome, TestTask } from "./trainerHost.js";
import type { FromWorker, ToWorker } from "./workerMessages.js";

type Message = Extract<ToWorker, { kind: "test" | "evaluate" }>;
/** A message without its number, which the host gives. */
type Unnumbered<M> = M extends unknown ? Omit<M, "id"> : never;

/** A test that is to be done by workers, one after the other should they die. */
export interface WorkerTestRequest {
  readonly task: TestTask;
  /** Only these evaluators, without the testing strategy. */
  readonly names?: readonly string[] | undefined;
  /** The scalar of an earlier test, where only evaluators are asked for. */
  readonly scalar: ScalarMetric | null;
  readonly config: Config;
  readonly claims: ColumnClaims;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress?: ((progress: HostProgress) => void) | undefined;
  /** Seconds for the testing strategy, and for everything between two evaluators. */
  readonly answer: number;
  readonly grace: number;
  readonly worker: TestWorker;
}

/** The worker as a test sees it: there is always one, if need be a new one. */
export interface TestWorker {
  /** @param hear as in `WorkerCall` */
  ask(
    message: Unnumbered<Message>,
    hear: (message: FromWorker) => number | undefined,
  ): Promise<Extract<FromWorker, { kind: "tested" }>>;
  /** True when the worker of the last `ask` had worked before. */
  hadWorked(): boolean;
  /** Ends the worker. */
  kill(): void;
}

/**
 * Tests in a worker and outlives it. What a worker has handed over stays: the scalar, every outcome, and
 * `context.state` as it was then. A worker that dies or gives up while an evaluator runs is that evaluator's
 * failure, and the rest run in a new one.
 * @throws WORKER_DIED or WORKER_TIMEOUT when the worker ends before the scalar is known
 */
export async function testInWorker(request: WorkerTestRequest): Promise<TestOutcome> {
  const { task, worker, signal } = request;
  const due = dueEvaluations(request.config, {
    round: task.round,
    lastRound: task.lastRound,
    names: request.names,
  });
  const test = new TestInProgress(request, due);

  for (let attempt = 1; ; attempt++) {
    try {
      const { outcome } = await worker.ask(test.message(), (message) => test.hear(message));
      if (!test.dismissed) return test.outcome(outcome.state);
      if (test.left.length === 0) return test.outcome();
      test.spoken = false;
    } catch (error) {
      if (signal.aborted || !(error instanceof ElenchusError)) throw error;
      const ended = error.code === "WORKER_DIED" || error.code === "WORKER_TIMEOUT";
      if (test.spoken && !ended) {
        if (!test.running) throw error;
        // What an evaluator did to its surroundings kept the worker from handing its outcome over.
        worker.kill();
      }
      if (!test.spoken && attempt === 1) {
        // What an evaluator of an earlier round left behind there may be to blame: once more, in a new worker.
        if (!worker.hadWorked()) throw error;
        if (!ended) worker.kill();
        continue;
      }
      if (!test.scalarKnown) throw error;
      if (!test.spoken) test.failAll(error);
      else test.failRunning(error);
      if (test.left.length === 0) return test.outcome();
      test.spoken = false;
    }
  }
}

/** What is known of a test so far. */
class TestInProgress {
  /** True once the worker has handed anything over. */
  spoken = false;
  scalarKnown: boolean;
  /** True when the present worker was ended: what it says on its way out counts no more. */
  dismissed = false;
  #scalar: ScalarMetric | null;
  #state: ReadonlyMap<string, unknown>;
  #running: { entry: TableEntry; started: number } | undefined;
  readonly #outcomes: EvaluationOutcome[] = [];
  /** Those of the outcomes that no worker knows of. */
  readonly #found: EvaluationOutcome[] = [];

  constructor(
    private readonly request: WorkerTestRequest,
    private readonly due: readonly TableEntry[],
  ) {
    this.#scalar = request.scalar;
    this.scalarKnown = request.names !== undefined;
    const state = new Map(request.task.state);
    // Before the first worker is asked: one that dies early leaves no time to clear what is out of date.
    if (!this.scalarKnown) clearEvaluationState(state);
    this.#state = state;
  }

  /** True while an evaluator is at work. */
  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Evaluators that have no outcome yet; they run in the order of the list. */
  get left(): readonly TableEntry[] {
    return this.due.slice(this.#outcomes.length);
  }

  /** What to ask a worker for next. */
  message(): Unnumbered<Message> {
    this.dismissed = false;
    const task = { ...this.request.task, state: this.#corrected(this.#state) };
    if (!this.scalarKnown) return { kind: "test", task };
    const names = this.left.map(({ name }) => name);
    return { kind: "evaluate", task: { ...task, names, scalar: this.#scalar } };
  }

  /** @returns seconds until the next word */
  hear(message: FromWorker): number | undefined {
    const { answer, grace, clock, progress, worker } = this.request;
    if (this.dismissed) return undefined;
    switch (message.kind) {
      case "progress":
        progress?.(message.progress as HostProgress);
        return undefined;
      case "scalar":
        this.spoken = true;
        this.scalarKnown = true;
        this.#scalar = message.scalar;
        this.#state = message.state;
        return answer;
      case "evaluation_started": {
        this.spoken = true;
        const entry = this.left[0];
        if (entry) this.#running = { entry, started: clock.monotonic() };
        return message.timeout + grace;
      }
      case "evaluation_done":
        this.#running = undefined;
        this.#state = message.state;
        this.#keep(message.outcome);
        // It was told to stop and may not have: what it still does must not reach the next one.
        if (message.outcome.status === "timeout") {
          this.dismissed = true;
          worker.kill();
        }
        return answer;
      default:
        return undefined;
    }
  }

  /** The end of the worker, or of its work, is the failure of the evaluator that ran, if one did. */
  failRunning(error: ElenchusError): void {
    if (!this.#running) return;
    const { entry, started } = this.#running;
    this.#running = undefined;
    const durationSeconds = (this.request.clock.monotonic() - started) / 1000;
    const late = error.code === "WORKER_TIMEOUT";
    this.#fail(entry, {
      status: late ? "timeout" : "failed",
      code: late ? "EVALUATION_TIMEOUT" : error.code,
      message: late
        ? `It did not finish within its timeout of ${entry.table?.timeout} s and held up its process, which was ended. Raise timeout in its table, or let it measure less.`
        : error.message,
      durationSeconds,
    });
  }

  /** No worker gets as far as the first evaluator. */
  failAll(error: ElenchusError): void {
    for (const entry of this.left) {
      this.#fail(entry, {
        status: "failed",
        code: error.code,
        message: error.message,
        durationSeconds: 0,
      });
    }
  }

  outcome(state: ReadonlyMap<string, unknown> = this.#state): TestOutcome {
    return { scalar: this.#scalar, evaluations: this.#outcomes, state: this.#corrected(state) };
  }

  /** A state as a worker knows it, with what only this process has found out. */
  #corrected(state: ReadonlyMap<string, unknown>): Map<string, unknown> {
    const corrected = new Map(state);
    applyOutcomes(corrected, this.request.config, this.#found);
    return corrected;
  }

  #fail(entry: TableEntry, how: Parameters<typeof failedOutcome>[1]): void {
    this.request.logger.error(failureLine(entry, how.message));
    const outcome = failedOutcome(entry, how);
    this.#outcomes.push(outcome);
    this.#found.push(outcome);
  }

  /** A worker that was started again does not know whose columns were taken before: this process does. */
  #keep(outcome: EvaluationOutcome): void {
    const entry = this.left[0];
    if (!entry) return;
    try {
      if (outcome.result) this.request.claims.claim(entry, { ...outcome.result, details: outcome.details });
      this.#outcomes.push(outcome);
    } catch (error) {
      const { code, message } = error as ElenchusError;
      this.#fail(entry, {
        status: "failed",
        code,
        message,
        durationSeconds: outcome.durationSeconds,
      });
    }
  }
}
