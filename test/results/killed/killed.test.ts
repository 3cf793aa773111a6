import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom, withDeadline } from "../../../src/base/index.js";
import { hasHeader } from "../../../src/results/csvFile.js";
import { type CellValue, RunRecord, readTable } from "../../../src/results/index.js";
import { listCheckpoints, readCheckpoint } from "../../../src/weights/index.js";
import { roundOf, TYPES, weightsOf } from "./rounds.js";

const KILLS = 200;
const LANES = 2;
const ENDLESS = 1_000_000;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-killed-"));
  program = await bundledChild(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a process that records rounds and is killed", () => {
  it(`loses at most the round in flight and leaves no torn or doubled row, ${KILLS} times`, async () => {
    const lanes = Array.from({ length: LANES }, (_, lane) => killedRun(join(folder, `lane-${lane}`), lane));
    for (const { rounds, atWork } of await Promise.all(lanes)) {
      // Kills must have hit work, not only idle start-ups: each of these came after a round of its process.
      expect(atWork).toBeGreaterThan(KILLS / LANES / 3);
      expect(rounds).toBeGreaterThanOrEqual(atWork);
    }
  }, 600_000);
});

/** When a process is killed: anywhere in start-up and resuming, while its first round is made, or later. */
type Moment = "start-up" | "first round" | "later";

/** One run that is killed again and again, checked after each kill, and ended. */
async function killedRun(place: string, lane: number): Promise<{ rounds: number; atWork: number }> {
  const random = createRandom(1, "kills", lane);
  let seen = 0;
  let atWork = 0;
  for (let kill = 0; kill < KILLS / LANES; kill++) {
    const drawn = random.next();
    const moment = drawn < 0.2 ? "start-up" : drawn < 0.5 ? "first round" : "later";
    if (moment === "later") atWork++;
    const reported = await runAndKill(place, moment, random.next());
    const rows = await checkFiles(place, Math.max(seen, reported));
    seen = rows;
  }
  const last = seen + 3;
  await withDeadline(finishedChild(place, last), 30_000, "The last process");
  await checkAgainstWhole(place, last);
  return { rounds: last, atWork };
}

/**
 * Starts the child, kills it at the moment told, and says which round it last reported.
 * @param delay from 0 to 1
 */
async function runAndKill(place: string, moment: Moment, delay: number): Promise<number> {
  const child = start(place, ENDLESS);
  const output = outputOf(child);
  if (moment === "start-up") {
    await new Promise((settle) => setTimeout(settle, 20 + delay * 150));
  } else {
    const begun = moment === "later" ? output.worked : output.ready;
    await withDeadline(begun, 60_000, "The child's start");
    await new Promise((settle) => setTimeout(settle, delay * 40));
  }
  child.kill("SIGKILL");
  await withDeadline(once(child, "close"), 30_000, "The child's end");
  expect(output.errors()).toBe("");
  return output.lastRound();
}

/** The files as the kill left them: every whole row right, none missing that was reported. */
async function checkFiles(place: string, atLeast: number): Promise<number> {
  const csv = join(place, "results", "run.csv");
  if (!(await hasHeader(csv))) {
    expect(atLeast).toBe(0);
    return 0;
  }
  const { rows } = await readTable(csv);
  expect(rows.length).toBeGreaterThanOrEqual(atLeast);
  // Hundreds of thousands of cells in all: compared first, asserted once.
  expect(rows.flatMap((row, index) => faultsOf(row, index + 1))).toEqual([]);

  const checkpoints = await listCheckpoints(join(place, "checkpoints", "run"));
  const newest = checkpoints.at(-1);
  expect([rows.length, rows.length + 1]).toContain(newest?.round ?? 0);
  if (newest !== undefined) {
    const { round, weights, state } = await readCheckpoint(newest.path);
    expect([round, state.get("round")]).toEqual([newest.round, newest.round]);
    expect(weights).toEqual(weightsOf(round));
  }
  return rows.length;
}

function faultsOf(row: ReadonlyMap<string, CellValue>, round: number): string[] {
  const { items, evaluations } = roundOf(round);
  const { status, result } = evaluations[0]!;
  const metrics = Object.entries(result?.metrics ?? {}).map(([metric, value]) => [
    `evaluation_${metric}`,
    value,
  ]);
  const expected = [...Object.entries(items), ["evaluation_status", status], ...metrics] as [
    string,
    CellValue,
  ][];
  return expected.flatMap(([column, value]) =>
    row.get(column) === value ? [] : [`round ${round}, ${column}: ${row.get(column)} instead of ${value}`],
  );
}

/** What was killed a hundred times is the same, byte for byte, as what never was. */
async function checkAgainstWhole(place: string, last: number): Promise<void> {
  const resultPath = join(place, "whole");
  const whole = await RunRecord.create({
    resultPath,
    runId: "run",
    types: TYPES,
    evaluators: ["e"],
    sync: false,
  });
  for (let round = 1; round <= last; round++) await whole.append(roundOf(round));
  await whole.finish("completed");
  for (const file of ["run.csv", "run_accuracy.csv"]) {
    expect(await readFile(join(place, "results", file), "utf8")).toBe(
      await readFile(join(resultPath, file), "utf8"),
    );
  }
  for (const inner of [".", "run", "run/evaluations", "run/artifacts"]) {
    expect((await readdir(join(place, "results", inner))).sort()).toEqual(
      (await readdir(join(resultPath, inner))).sort(),
    );
  }
  expect((await readdir(join(place, "checkpoints", "run"))).length).toBe(2);
}

async function finishedChild(place: string, last: number): Promise<void> {
  const child = start(place, last);
  const output = outputOf(child);
  const [code] = await once(child, "close");
  expect([code, output.errors()]).toEqual([0, ""]);
}

function start(place: string, last: number): ChildProcess {
  return spawn(process.execPath, [program, place, String(last)], { stdio: ["ignore", "pipe", "pipe"] });
}

function outputOf(child: ChildProcess) {
  let text = "";
  let errors = "";
  child.stderr!.setEncoding("utf8").on("data", (piece: string) => {
    errors += piece;
  });
  child.stdout!.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  const said = (pattern: RegExp) =>
    new Promise<void>((settle) => {
      child.stdout!.on("data", () => {
        if (pattern.test(text)) settle();
      });
      child.once("close", () => settle());
    });
  const ready = said(/ready/);
  const worked = said(/ready\n\d+\n/);
  return {
    ready,
    worked,
    errors: () => errors,
    lastRound: () => Number(text.split("\n").slice(1, -1).at(-1) ?? 0),
  };
}

/** The child as one file of JavaScript: it is started two hundred times, and compiled once. */
async function bundledChild(folder: string): Promise<string> {
  const out = join(folder, "bundle", "child");
  await mkdir(out, { recursive: true });
  // The manifest reads versions from the package file two folders above it.
  await copyFile(
    fileURLToPath(new URL("../../../package.json", import.meta.url)),
    join(folder, "package.json"),
  );
  await build({
    configFile: false,
    logLevel: "silent",
    // A native module cannot become part of the file; the child draws nothing.
    ssr: { noExternal: true, external: ["@resvg/resvg-js"] },
    build: {
      ssr: fileURLToPath(new URL("./child.ts", import.meta.url)),
      outDir: out,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "child.mjs" } },
    },
  });
  return join(out, "child.mjs");
}
