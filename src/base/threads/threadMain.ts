import { parentPort, workerData } from "node:worker_threads";
import { ElenchusError, messageOf } from "../errors.js";
import { becomeWorker, loadModules } from "../program.js";
import type { MakeRowWork, PlacedInput, RowOutcome, RowWork, ThreadStart, ToThread } from "./rowWork.js";

becomeWorker();

/** Does row work for another thread, a piece at a time. */
const { modules, state } = workerData as ThreadStart;
const place = new Int32Array(state);
/** Milliseconds after which the rest of a piece is given back, so that others get their turn. */
const SLICE = 50;

const works = new Map<number, RowWork>();
let loaded: Promise<void> | undefined;
let last: Promise<void> = Promise.resolve();

parentPort!.on("message", (message: ToThread) => {
  // In turn, since the work that is to be forgotten may still be under way of being made.
  last = last.then(() => ("forget" in message ? void works.delete(message.forget) : answer(message)));
});

async function answer({ work: id, make, rows }: Exclude<ToThread, { forget: number }>): Promise<void> {
  let work = works.get(id);
  try {
    if (work === undefined) {
      if (make!.modules) {
        loaded ??= loadModules(modules);
        await loaded;
      }
      const { makeRowWork } = (await import(make!.module)) as { makeRowWork: MakeRowWork };
      work = await makeRowWork(make!.params);
      works.set(id, work);
    }
  } catch (error) {
    parentPort!.postMessage({ unmade: factsOf(error) });
    return;
  }
  const outcomes = await outcomesOf(rows, work);
  try {
    parentPort!.postMessage({ outcomes });
  } catch (error) {
    // One that cannot be cloned must not take the others with it.
    parentPort!.postMessage({ outcomes: outcomes.map((one) => cloneable(one, error)) });
  }
}

async function outcomesOf(rows: readonly PlacedInput[], work: RowWork): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = [];
  const began = performance.now();
  for (const [at, { row, index }] of rows.entries()) {
    Atomics.store(place, 0, at);
    try {
      const value = work(row, index);
      outcomes.push({ value: value instanceof Promise ? await value : value });
    } catch (error) {
      outcomes.push({ error: factsOf(error) });
    }
    if (performance.now() - began > SLICE) break;
  }
  Atomics.store(place, 0, -1);
  return outcomes;
}

function factsOf(error: unknown) {
  const code = error instanceof ElenchusError ? error.code : undefined;
  return { message: messageOf(error), ...(code !== undefined && { code }) };
}

function cloneable(outcome: RowOutcome, error: unknown): RowOutcome {
  try {
    structuredClone(outcome);
    return outcome;
  } catch {
    return { error: factsOf(error) };
  }
}
