import { fork } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { ROOT } from "./fault.js";
import { faults } from "./faults.js";
import type { FaultReport } from "./runFaults.js";

/** Processes that run faults, each one fault at a time. */
const PROCESSES = 2;
const DEADLINE = 20 * 60_000;

// A test that fails may not come to tidy up after itself.
const leftovers = temporaryFolder("faults");
const reports = new Map<string, FaultReport>();

beforeAll(async () => {
  const names = faults.map(({ name }) => name);
  const parts = Array.from({ length: PROCESSES }, (_, part) =>
    runFaults(names.filter((_, place) => place % PROCESSES === part)),
  );
  await Promise.all(parts);
}, DEADLINE);

describe("a fault in one line of the source", () => {
  it("has a name of its own", () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    for (const { from, to } of faults) expect(`${from}${to}`).not.toContain("\n");
  });

  it.each(faults.map(({ name }) => name))("is noticed: %s", (name) => {
    const { sound, faulty } = reports.get(name)!;
    expect(sound).toMatchObject({ failed: [], broken: [] });
    expect(faulty.failed, ["no test failed", ...faulty.broken].join("; ")).not.toEqual([]);
  });
});

/** Runs faults in a process of their own, since one vitest cannot hold another, and keeps what it reports. */
function runFaults(names: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = Object.entries(process.env).filter(([key]) => !key.startsWith("VITEST"));
    const child = fork(`${ROOT}test/faults/runFaults.ts`, names, {
      cwd: ROOT,
      env: { ...Object.fromEntries(env), TMPDIR: leftovers },
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      timeout: DEADLINE,
    });
    let errors = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    child.on("message", (report: FaultReport) => reports.set(report.name, report));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The process that runs faults ended with ${code}: ${errors.slice(-2000)}`));
    });
  });
}
