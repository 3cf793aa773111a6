import { becomeWorker, createLogger, ElenchusError, loadModules, systemClock } from "../base/index.js";
import { LocalTrainerHost } from "./localTrainerHost.js";
import { endWithParent } from "./orphanWatch.js";
import type { HostProgress } from "./trainerHost.js";
import { type FromWorker, receivedError, sentError, type ToWorker, toWorker } from "./workerMessages.js";

becomeWorker();

// Ctrl-C reaches the whole process group; when a worker ends is for its parent to say.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("disconnect", () => process.exit(0));
endWithParent();

/** How to stop each task that is under way, by its id. */
const stops = new Map<number, AbortController>();
let host: LocalTrainerHost | undefined;

process.on("message", (raw) => {
  const parsed = toWorker.safeParse(raw);
  if (!parsed.success) {
    process.stderr.write(`A message to this worker is not understood: ${parsed.error.message}\n`);
    process.exit(1);
  }
  void answer(parsed.data);
});

async function answer(message: ToWorker): Promise<void> {
  if (message.kind === "start") {
    await start(message);
    return;
  }
  if (message.kind === "cancel") {
    stops.get(message.id)?.abort(receivedError(message.error));
    return;
  }
  const stop = new AbortController();
  stops.set(message.id, stop);
  try {
    await say(await work(message, stop.signal));
  } catch (error) {
    await say({ kind: "failed", id: message.id, error: sentError(error) });
  } finally {
    stops.delete(message.id);
  }
}

/** Loads the user's modules and the back end, and says what is at hand. */
async function start(message: Extract<ToWorker, { kind: "start" }>): Promise<void> {
  try {
    await loadModules(message.imports);
    host = new LocalTrainerHost({
      config: message.config,
      imports: message.imports,
      role: message.role,
      where: "process",
      logger: createLogger(message.logLevel, (line, level) => {
        void say({ kind: "log", level, message: line });
      }),
      clock: systemClock,
    });
    const { backend, evaluators } = await host.describe();
    await say({ kind: "ready", backend, evaluators: [...evaluators] });
  } catch (error) {
    await say({ kind: "refused", error: sentError(error) });
  }
}

async function work(
  message: Exclude<ToWorker, { kind: "start" | "cancel" }>,
  signal: AbortSignal,
): Promise<FromWorker> {
  if (!host) throw new ElenchusError("INTERNAL", "A worker was given a task before it was started.");
  const { id } = message;
  switch (message.kind) {
    case "initial_weights":
      return { kind: "weights", id, weights: await host.initialWeights() };
    case "train":
      return { kind: "trained", id, outcome: await host.train(message.task, signal, progressOf(id)) };
    case "test":
      return { kind: "tested", id, outcome: await host.test(message.task, signal, progressOf(id), told(id)) };
    case "shard":
      return { kind: "sharded", id, result: await host.shard(message.task, signal) };
    case "evaluate":
      return {
        kind: "tested",
        id,
        outcome: await host.evaluate(message.task, signal, progressOf(id), told(id)),
      };
  }
}

/** Hands a test's parts over as they come: what has been said survives whatever happens here next. */
function told(id: number): Parameters<LocalTrainerHost["test"]>[3] {
  return {
    onScalar: (scalar, state) => say({ kind: "scalar", id, scalar, state }),
    onEvaluatorStart: (name, timeout) => say({ kind: "evaluation_started", id, name, timeout }),
    onOutcome: async (outcome, state) => {
      // A rejection that the evaluator left unhandled ends the process in this turn of the event loop:
      // only an evaluator that outlives it has succeeded.
      await new Promise((settle) => setImmediate(settle));
      await say({ kind: "evaluation_done", id, outcome, state });
      // Told to stop, it may not have: whatever is to run next runs in another process, and only there.
      if (outcome.status === "timeout") await new Promise(() => {});
    },
  };
}

function progressOf(id: number): (progress: HostProgress) => void {
  return (progress) => void say({ kind: "progress", id, progress });
}

/** Resolves when the message has left this process, so that nothing done afterwards can hold it back. */
function say(message: FromWorker): Promise<void> {
  return new Promise((settle) => {
    if (!process.connected) settle();
    else process.send?.(message, undefined, undefined, () => settle());
  });
}
