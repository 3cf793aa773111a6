import { afterEach, describe, expect, it } from "vitest";
import { createLogger, systemClock } from "../../src/base/index.js";
import { clientEntry } from "../../src/client/index.js";
import { type ClientProcesses, startClientProcesses } from "../../src/server/index.js";
import { configOf, startFederation } from "./support/federation.js";

const fake = new URL("./support/fakeClientProcess.mjs", import.meta.url);
let processes: ClientProcesses | undefined;
afterEach(async () => {
  await processes?.close(0.2);
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
    await written("a fault");
    expect(lines.sort()).toEqual([
      "debug: client 1: debug: a detail",
      "error: client 1: error: a fault",
      "info: client 1: ready",
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

  it("are not started again on input they cannot work with, nor after they ended well", async () => {
    const { lines, launched } = start("bad-input");
    await launched.exhausted;
    expect(lines.filter((line) => line.includes("started again"))).toEqual([]);
    const well = start("end");
    await expect.poll(() => well.launched.pids().size).toBe(0);
    expect(well.lines).toEqual([]);
  });

  it("are killed when they do not go", async () => {
    const { launched, written } = start("stubborn");
    await written("I stay");
    const [pid] = [...launched.pids().values()];
    await launched.close(0.2);
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
