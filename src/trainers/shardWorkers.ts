import { ElenchusError } from "../base/index.js";
import { portableState } from "./portableState.js";
import type { ShardProcesses } from "./trainer.js";
import type { ShardTask } from "./trainerHost.js";
import type { TrainerHostRequest } from "./trainerHostRequest.js";
import { callWorker } from "./workerCall.js";
import { WorkerProcess } from "./workerProcess.js";

type Work = Parameters<ShardProcesses>[0];

/** Seconds a worker has to load the user's modules, and to stop when it is told to. */
const START = 120;
const GRACE = 5;
/** Seconds for a part; the evaluator's own timeout, which aborts the signal, comes before. */
const LONGEST = 1_000_000;

/**
 * Worker processes that do parts of an evaluator's work, as many as were ever asked for at once. They live on over
 * the rounds; one that has died is started again when it is next needed.
 */
export class ShardWorkers {
  readonly #request: TrainerHostRequest;
  readonly #workers: (WorkerProcess | undefined)[] = [];
  #lastId = 0;

  constructor(request: TrainerHostRequest) {
    this.#request = request;
  }

  /**
   * The parts 1 to `of` - 1, each in a process of its own.
   * @throws what the first part that fails throws, when the others have ended; WORKER_DIED; the signal's reason
   */
  async run({ of, signal, state, ...shared }: Work): Promise<unknown[]> {
    const stop = new AbortController();
    const any = AbortSignal.any([signal, stop.signal]);
    const task = { ...shared, of, state: portableState(state).state };
    const parts = Array.from({ length: of - 1 }, (_, place) =>
      this.#part({ ...task, index: place + 1 }, any).catch((error: unknown) => {
        // The other parts are of no use without this one.
        stop.abort(error instanceof ElenchusError ? error : undefined);
        throw error;
      }),
    );
    await Promise.allSettled(parts);
    return Promise.all(parts);
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker?.close(GRACE)));
  }

  async #part(task: ShardTask, signal: AbortSignal): Promise<unknown> {
    const worker = await this.#worker(task.index - 1, signal);
    const id = ++this.#lastId;
    const answer = await callWorker({
      process: worker,
      message: { kind: "shard", id, task },
      what: `that does part ${task.index} of ${task.of} of "${task.name}" in round ${task.round}`,
      seconds: LONGEST,
      grace: GRACE,
      signal,
      answers: ({ kind }) => kind === "sharded",
    });
    return answer.kind === "sharded" ? answer.result : undefined;
  }

  async #worker(place: number, signal: AbortSignal): Promise<WorkerProcess> {
    const running = this.#workers[place];
    if (running?.usable) return running;
    const { config, imports, role, logger } = this.#request;
    const started = new WorkerProcess(`evaluation worker ${place + 1}`, logger);
    this.#workers[place] = started;
    try {
      await callWorker({
        process: started,
        message: { kind: "start", config, imports: [...imports], role, logLevel: logger.level },
        what: "that was to be started",
        seconds: START,
        grace: GRACE,
        signal,
        answers: ({ kind }) => kind === "ready",
      });
      return started;
    } catch (error) {
      started.kill();
      throw error;
    }
  }
}
