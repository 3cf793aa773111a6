import { afterEach, describe, expect, it } from "vitest";
import { createLogger, systemClock } from "../../src/base/index.js";
import { clientEntry } from "../../src/client/index.js";
import { type ClientProcesses, startClientProcesses } from "../../src/server/index.js";
import { configOf, startFederation } from "./support/federation.js";

const fake = new URL("./support/fakeClientProcess.mjs", import.meta.url);
let processes: ClientProcesses | undefined;
afterEach(async () => {
  await processes?.close();
  processes = undefined;
});

function start(token: string, changed: Partial<Parameters<typeof startClientProcesses>[0]> = {}) {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const logger = createLogger("debug", (line, level) => {
    lines.push(`${level}: ${line}`);
    for (const wake of waiting) wake();
  });
  processes = startClientProcesses({
    entry: fake,
    count: 1,
    config: configOf(),
    imports: [],
    url: "http://127.0.0.1:1",
    token,
    stateFolder: "/nowhere",
    logLevel: "info",
    logger,
    clock: systemClock,
    ...changed,
  });
  const written = (part: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (lines.some((line) => line.includes(part))) resolve();
      };
      waiting.add(look);
      look();
    });
  return { lines, written, launched: processes };
}

describe("client processes", () => {
  it("pass on what they write, at its level", async () => {
    const { lines, written } = start("work");
    await written("ready");
    await written("none of ours");
    expect(lines.sort()).toEqual([
      "debug: client 1: a detail",
      "error: client 1: [WORKER_DIED] a reason",
      "error: client 1: a fault",
      "info: client 1: ready",
      "info: client 1: warning: none of ours",
    ]);
  });

  it("are started again when they die, so often and no more", async () => {
    const { lines, launched } = start("die", { restarts: 2 });
    const error = await launched.exhausted;
    expect(error.code).toBe("CLIENT_FAILED");
    expect(error.message).toContain("status 7");
    expect(error.message).toContain("the last words");
    expect(lines.filter((line) => line.includes("started again"))).toHaveLength(2);
    expect(launched.pids().size).toBe(0);
  });

  it("are not exhausted while one lives", async () => {
    const { launched, written } = start("die", { count: 2, restarts: 0, imports: ["spare-2"] });
    await written("left dead");
    await written("client 2: ready");
    expect([...launched.pids().keys()]).toEqual([2]);
  });

  it("are not started again on input they cannot work with", async () => {
    const { lines, launched } = start("bad-input");
    await launched.exhausted;
    expect(lines.filter((line) => line.includes("started again"))).toEqual([]);
  });

  it("are started again when they end during the run, whatever they call it", async () => {
    const { lines, launched } = start("end", { restarts: 1 });
    expect((await launched.exhausted).message).toBe(
      "Every client process is dead; the last one ended with status 0; its last lines: that was all.",
    );
    expect(lines.filter((line) => line.startsWith("warn"))).toEqual([
      "warn: Client process 1 ended with status 0; its last lines: that was all. It is started again.",
      "warn: Client process 1 ended with status 0; its last lines: that was all. It is left dead.",
    ]);
  });

  it("go by themselves after the run, when the server has told them to", async () => {
    const { lines, written, launched } = start("told", { count: 2 });
    await written("client 1: I go soon");
    await written("client 2: I go soon");
    const [told, other] = [...launched.pids().values()];
    const closed = launched.close({ told: [1] });
    expect(launched.close()).toBe(closed);
    await expect.poll(() => [...launched.pids().keys()]).toEqual([1]);
    process.kill(told!, "SIGUSR2");
    await closed;
    expect(lines.filter((line) => /client 1: SIGTERM|warn/.test(line))).toEqual([]);
    for (const pid of [told, other]) expect(() => process.kill(pid!, 0)).toThrow();
  });

  it.each([
    ["were told to go", [1]],
    ["were not even connected", []],
  ])("are killed when they do not go: they %s", async (_, told) => {
    const { launched, written } = start("stubborn");
    await written("I stay");
    const [pid] = [...launched.pids().values()];
    await launched.close({ told, seconds: 0.2 });
    expect(launched.pids().size).toBe(0);
    expect(() => process.kill(pid!, 0)).toThrow();
  });

  it("say why the server refused them", async () => {
    const federation = await startFederation(configOf());
    try {
      const { launched } = start("wrong", { entry: clientEntry, restarts: 0, url: federation.server.url });
      const error = await launched.exhausted;
      expect(error.message).toContain("CONNECTION_REFUSED");
      expect(error.message).toContain("wrong_token");
    } finally {
      await federation.close();
    }
  });
});
