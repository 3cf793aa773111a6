import { Worker } from "node:worker_threads";

/** Milliseconds between two looks. */
const EVERY = 1000;

/**
 * Ends this process when its parent has died. The closing of the channel says so too, but an evaluator that
 * never gives its thread back keeps that from being heard, and would spin for ever; a second thread hears.
 * Where a parent that has died keeps its number (Windows), nothing happens.
 */
export function endWithParent(): void {
  const thread = new Worker(WATCH, { eval: true, execArgv: [], workerData: process.ppid });
  thread.unref();
}

const WATCH = `
const { workerData } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
}, ${EVERY});
`;
