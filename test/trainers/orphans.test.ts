import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { entryFile, nodeArguments } from "../../src/base/index.js";

test("a worker whose thread is held up ends when its parent is killed", async () => {
  const program = entryFile(import.meta.url, "./fixtures/parentProgram");
  const parent = spawn(process.execPath, [...nodeArguments(), program.pathname], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let worker: number | undefined;
  for await (const line of createInterface({ input: parent.stdout })) {
    worker = Number(/blocking process (\d+)/.exec(line)?.[1] ?? Number.NaN);
    if (worker) break;
  }
  expect(alive(worker!)).toBe(true);
  parent.kill("SIGKILL");

  for (let waits = 0; waits < 200 && alive(worker!); waits++) await sleep(50);
  expect(alive(worker!)).toBe(false);
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended but that nobody has asked after still has its number.
    return !(process.platform === "linux" && / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
  } catch {
    return false;
  }
}
