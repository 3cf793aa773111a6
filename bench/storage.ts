// What could keep the service's data without a server and without a compiler: rows stored and flushed per second, one
// after the other and 32 at once, listing, two processes at once, and processes killed while they write. The peers are
// measured where they are installed: npm install --prefix bench/peers/storage
// Run: node --import tsx bench/storage.ts [NAME...]
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CANDIDATES, PEERS } from "./storageCandidates.js";

const SCRIPT = fileURLToPath(new URL("./storageRun.ts", import.meta.url));
const [KILLS, ROWS_OF_TWO] = [4, 150];
/** Seconds for one process; one that is locked out by a killed one never ends. */
const PATIENCE = 20;
/** Smallest speed of our own files as a multiple of the fastest peer that passes everything. */
const TARGET = 1;

const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "elenchus-bench-storage-"));
const passed: { name: string; speed: number }[] = [];
try {
  for (const [name, { packages }] of Object.entries(CANDIDATES)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const places = packages.map((own) => join(PEERS, "node_modules", own));
    if (!places.every((place) => existsSync(place))) {
      console.log(JSON.stringify({ name, skipped: "not installed, see the head of bench/storage.ts" }));
      continue;
    }
    const { lines } = await run(["speed", name, fresh()], Number.POSITIVE_INFINITY, 4 * PATIENCE);
    // Of a process that failed there is none.
    const speed = JSON.parse(lines[0] ?? '{"rows_per_second":0}') as { rows_per_second: number };
    const two = await twoProcesses(name);
    const kills = await killedProcesses(name);
    const installed = places.reduce((sum, place) => sum + bytesIn(place), 0) / 1024 ** 2;
    if (two === 2 * ROWS_OF_TWO && kills.served === KILLS && kills.lost === 0) {
      passed.push({ name, speed: speed.rows_per_second });
    }
    console.log(
      JSON.stringify({
        name,
        installed_mb: Math.round(10 * installed) / 10,
        ...speed,
        rows_of_two_processes: `${two} of ${2 * ROWS_OF_TWO}`,
        served_after_kill: `${kills.served} of ${KILLS}`,
        rows_lost_by_kills: kills.lost,
      }),
    );
  }
  const [own, ...peers] = passed;
  const fastest = Math.max(0, ...peers.map(({ speed }) => speed));
  if (own === undefined || own.speed < TARGET * fastest) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns the rows that are there after two processes have appended at the same time */
async function twoProcesses(name: string): Promise<number> {
  const place = fresh();
  const stages = ["a", "b"];
  await Promise.all(stages.map((stage) => run(["write", name, place, stage, String(ROWS_OF_TWO)])));
  const counts = await Promise.all(stages.map((stage) => count(name, place, stage)));
  return counts.reduce((sum, rows) => sum + rows, 0);
}

/** Kills one process after the other while it writes. */
async function killedProcesses(name: string): Promise<{ served: number; lost: number }> {
  const place = fresh();
  let [served, lost] = [0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    const { lines } = await run(["write", name, place, `k${kill}`, "1000000"], 15 + 7 * kill);
    if (lines.length === 0) break;
    served++;
    lost += Math.max(0, lines.length - (await count(name, place, `k${kill}`)));
  }
  return { served, lost };
}

async function count(name: string, place: string, stage: string): Promise<number> {
  const { lines } = await run(["count", name, place, stage]);
  return Number(lines.at(-1) ?? 0);
}

function fresh(): string {
  return mkdtempSync(join(folder, "data-"));
}

/** @param killAfter lines of output after which the process is killed, a moment later */
function run(
  words: readonly string[],
  killAfter = Number.POSITIVE_INFINITY,
  patience = PATIENCE,
): Promise<{ lines: string[] }> {
  const child = spawn(process.execPath, ["--import", "tsx", SCRIPT, ...words], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  let killing = false;
  child.stdout.on("data", (data) => {
    said += data;
    if (killing || said.split("\n").length <= killAfter) return;
    killing = true;
    setTimeout(() => child.kill("SIGKILL"), killAfter);
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), patience * 1000);
  return new Promise((resolve) => {
    child.once("close", () => {
      clearTimeout(timer);
      resolve({ lines: said.split("\n").filter((line) => line !== "") });
    });
  });
}

function bytesIn(place: string): number {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
