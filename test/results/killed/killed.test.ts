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
    const finished = await Promise.all(lanes);
    // Kills must have hit work, not only idle start-ups.
    expect(Math.min(...finished)).toBeGreaterThan(KILLS / LANES);
  }, 300_000);
});

/** One run that is killed again and again, checked after each kill, and ended; returns its rounds. */
async function killedRun(place: string, lane: number): Promise<number> {
  const random = createRandom(1, "kills", lane);
  let seen = 0;
  for (let kill = 0; kill < KILLS / LANES; kill++) {
    const reported = await runAndKill(place, {
      // A fifth of the kills fall anywhere in start-up and resuming, the others while rounds are recorded.
      fromStart: random.next() < 0.2,
      delay: random.next(),
    });
    const rows = await checkFiles(place, Math.max(seen, reported));
    seen = rows;
  }
  const last = seen + 3;
  await withDeadline(finishedChild(place, last), 30_000, "The last process");
  await checkAgainstWhole(place, last);
  return last;
}

/** Starts the child, kills it at the moment told, and says which round it last reported. */
async function runAndKill(place: string, when: { fromStart: boolean; delay: number }): Promise<number> {
  const child = start(place, ENDLESS);
  const output = outputOf(child);
  if (when.fromStart) {
    await new Promise((settle) => setTimeout(settle, 20 + when.delay * 150));
  } else {
    await withDeadline(output.ready, 30_000, "The child's start");
    await new Promise((settle) => setTimeout(settle, when.delay * 40));
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
  const ready = new Promise<void>((settle) => {
    child.stdout!.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.includes("ready")) settle();
    });
    child.once("close", () => settle());
  });
  return { ready, errors: () => errors, lastRound: () => Number(text.split("\n").slice(1, -1).at(-1) ?? 0) };
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
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL("./child.ts", import.meta.url)),
      outDir: out,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "child.mjs" } },
    },
  });
  return join(out, "child.mjs");
}
