import type { Fault } from "../fault.js";

/** Jobs of the service, their storage and their workers. */
export const jobs: readonly Fault[] = [
  {
    name: "a torn record taken for one",
    file: "service/storage/embedded/appendLog.ts",
    from: 'if (tab < 0 || line.toString("latin1", 0, CHECKSUM_DIGITS) !== checksum(text)) return undefined;',
    to: "if (tab < 0) return undefined;",
    test: "service/storage/appendLog.test.ts",
    only: "loses nothing but the torn record",
  },
  {
    name: "a row that replaces the one its index has",
    file: "service/storage/embedded/rowLog.ts",
    from: "const stored = !this.#positions.has(index);",
    to: "const stored = true;",
    test: "service/storage/embeddedStorage.test.ts",
    only: "stores a row once although many append it",
  },
  {
    name: "a document replaced in whatever version it has",
    file: "service/storage/embedded/documentLog.ts",
    from: 'if (change.do === "replace" && version !== change.version) return null;',
    to: 'if (change.do === "replace" && version === undefined) return null;',
    test: "service/storage/embeddedStorage.test.ts",
    only: "lets exactly one of many writers win",
  },
  {
    name: "a change behind the end of its log that counts",
    file: "service/storage/embedded/documentLog.ts",
    from: "if (this.#sealed || this.#gone) return;",
    to: "if (this.#gone) return;",
    test: "service/storage/documentLog.test.ts",
    only: "between the end of one log and the next",
  },
  {
    name: "a job taken from a worker that has it",
    file: "service/jobs/jobStore.ts",
    from: "const free = ({ lease }: Job) => lease === null || lease.expires <= now;",
    to: "const free = (_: Job) => true;",
    test: "service/jobs/embeddedJobs.test.ts",
    only: "are taken over when a lease lapses",
  },
  {
    name: "a lease that is let go of counted as a lost worker",
    file: "service/jobs/jobStore.ts",
    from: "const lost = (job: Job) => job.lapses + (job.lease === null ? 0 : 1);",
    to: "const lost = (job: Job) => job.lapses + 1;",
    test: "service/jobs/embeddedJobs.test.ts",
    only: "go on behind their last row",
  },
  {
    name: "a cancelled job whose worker goes on",
    file: "service/jobs/heartBeat.ts",
    from: "if (job?.lease?.worker === holder) {",
    to: "if (job !== undefined) {",
    test: "service/jobs/embeddedJobs.test.ts",
    only: "are cancelled within a row",
  },
];
