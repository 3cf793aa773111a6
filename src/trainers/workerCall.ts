import { ElenchusError, LONGEST_TIMER } from "../base/index.js";
import { interruption } from "./interruption.js";
import {
  type FromWorker,
  receivedError,
  type SentError,
  sentError,
  type ToWorker,
} from "./workerMessages.js";
import { describeDeath, type WorkerMessage, type WorkerProcess } from "./workerProcess.js";

/** One thing asked of a worker. */
export interface WorkerCall<To extends WorkerMessage = ToWorker, From extends WorkerMessage = FromWorker> {
  readonly process: WorkerProcess<To, From>;
  readonly message: To;
  /** What the worker does, for messages: "training client 3 in round 2". */
  readonly what: string;
  /** Seconds until the answer, unless `hear` sets another deadline. */
  readonly seconds: number;
  /** Seconds a worker gets to stop by itself before it is killed. */
  readonly grace: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Hears every message that is not the answer.
   * @returns seconds from now until the next word, where it sets a new deadline
   */
  hear?(message: From): number | undefined;
  /** True for the message that answers. */
  answers(message: From): boolean;
}

/**
 * Sends and waits for the answer. However it ends, it ends: by the answer, by the worker's death, or at
 * the deadline, when the worker is killed.
 * @throws WORKER_DIED with exit and last lines, and in `details.told` what those may know who may not see the lines;
 *   WORKER_TIMEOUT; the signal's reason or INTERRUPTED; the
 *   error that the worker answered with
 */
export function callWorker<To extends WorkerMessage = ToWorker, From extends WorkerMessage = FromWorker>(
  call: WorkerCall<To, From>,
): Promise<From> {
  const { process, signal } = call;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let late: number | undefined;

    const finish = (act: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      process.listen(
        () => {},
        () => {},
      );
      act();
    };
    const arm = (seconds: number) => {
      clearTimeout(timer);
      if (seconds * 1000 > LONGEST_TIMER) return;
      timer = setTimeout(() => {
        late = seconds;
        process.kill();
      }, seconds * 1000);
    };
    const stop = () => {
      if ("id" in call.message) {
        const cancel = { kind: "cancel", id: call.message.id, error: sentError(interruption(signal!)) };
        process.send(cancel as unknown as To);
        arm(call.grace);
      } else process.kill();
    };

    process.listen(
      (message) => {
        if (isForeign(message, call.message)) return;
        if (call.answers(message)) finish(() => resolve(message));
        else if (message.kind === "failed" || message.kind === "refused") {
          const { error } = message as unknown as { readonly error: SentError };
          finish(() => reject(signal?.aborted ? interruption(signal) : receivedError(error)));
        } else {
          const seconds = call.hear?.(message);
          if (seconds !== undefined && !signal?.aborted) arm(seconds);
        }
      },
      (death) => {
        finish(() => {
          if (signal?.aborted) reject(interruption(signal));
          else if (late !== undefined) reject(tooLate(call.what, late));
          else reject(died(call.what, death));
        });
      },
    );
    if (process.death) return;
    arm(call.seconds);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) {
      finish(() => reject(interruption(signal)));
      return;
    }
    try {
      process.send(call.message);
    } catch (error) {
      finish(() => reject(error));
    }
  });
}

/** True for what an earlier task, long answered, still has to say. */
function isForeign(message: WorkerMessage, asked: WorkerMessage): boolean {
  return "id" in message && "id" in asked && message.id !== asked.id;
}

function tooLate(what: string, seconds: number): ElenchusError {
  return new ElenchusError(
    "WORKER_TIMEOUT",
    `The worker ${what} gave no answer within ${seconds} s and was ended.`,
    { details: { seconds } },
  );
}

function died(what: string, death: Parameters<typeof describeDeath>[0]): ElenchusError {
  const { code, signal, lines } = death;
  const described = describeDeath(death);
  const how = described.slice(0, described.indexOf("."));
  return new ElenchusError("WORKER_DIED", `The worker ${what} ended ${described}`, {
    details: {
      ...{ exit_code: code, signal, lines },
      // What it printed may be anything: paths, secrets of the user's code.
      told: `The worker ${what} ended ${how}; the log has its last lines.`,
    },
  });
}
