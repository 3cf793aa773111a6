import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KEPT_EVERY, MILLISECONDS, REQUESTS } from "./speed.js";

const child = fileURLToPath(new URL("./child.ts", import.meta.url));
/** Requests that are answered between two writes. */
const BETWEEN = (KEPT_EVERY * 1000) / MILLISECONDS;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "elenchus-killed-answers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Has the call answered so far, kills it in the middle. @returns what was known before, and answered here */
async function killedAfter(count: number, kind: string): Promise<{ known: number; answered: number }> {
  const process = spawn("node", ["--import", "tsx", child, folder, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(process, "exit");
  let [known, answered] = [0, 0];
  for await (const line of createInterface({ input: process.stdout! })) {
    if (line.startsWith("known ")) known = Number(line.slice("known ".length));
    else answered = Number(line);
    if (answered >= count) process.kill("SIGKILL");
  }
  expect((await ended)[1]).toBe("SIGKILL");
  return { known, answered };
}

const written = () => {
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return text.join("").split("\n").length - 1;
};

it.each(["generate", "score"])(
  "a kill in the middle of one call to %s loses the last moments alone",
  async (kind) => {
    const first = await killedAfter(60, kind);
    const kept = written();
    expect(first).toMatchObject({ known: 0 });
    expect(first.answered).toBeLessThan(REQUESTS);
    // A piece begins with 16 and may be as much longer as the machine is busy.
    expect(kept).toBeGreaterThanOrEqual(first.answered - 3 * Math.max(BETWEEN, 16));
    expect(kept).toBeGreaterThan(0);
    const second = await killedAfter(1, kind);
    expect(second.known).toBe(kept);
  },
  120_000,
);
