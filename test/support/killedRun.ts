import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { createRandom } from "../../src/base/index.js";
import { elenchus, type Finished, startElenchus } from "./commandLine.js";
import { smallConfig } from "./smallConfig.js";

const REMEMBERING = fileURLToPath(new URL("../e2e/fixtures/remembering.ts", import.meta.url));
const WORDS = ["run", "killed.toml", "--import", REMEMBERING, "--set", "trainer.type=turns", "--json"];

/** Whole runs that are killed and resumed, in one folder and on one configuration. */
export interface KilledRuns {
  /** Where a run's record is. */
  csv(runId: string): string;
  /** The rounds of its whole rows: a kill may leave half a line, which counts as none. */
  rounds(runId: string): number[];
  /** One that nobody kills. */
  whole(runId: string): Promise<Finished>;
  /**
   * Starts a run, or goes on with it, and kills it at a moment that `seed` and `kill` decide.
   * @returns false when it had ended before
   */
  kill(runId: string, seed: number, kill: number): Promise<boolean>;
  /** Goes on with a run to its end. */
  resume(runId: string): Promise<Finished>;
}

/** @param rounds of the run: more than the kills can take to be done */
export function killedRuns(folder: string, rounds: number): KilledRuns {
  const recorded = `
[[evaluation]]
type = "memory"

[[evaluation]]
type = "classification"
every = 3

[results]
types = "round, accuracy, elapsed_time, train_loss, comm_overhead, comm_time"
`;
  writeFileSync(join(folder, "killed.toml"), smallConfig(recorded, { clients: 3, perRound: 2, rounds }));
  const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);
  // Before its CSV has a header, there is no run to resume, and the next attempt is a new one.
  const words = (runId: string) => [
    ...WORDS,
    "--run-id",
    runId,
    ...(existsSync(csv(runId)) ? ["--resume"] : []),
  ];

  return {
    csv,
    rounds(runId) {
      const text = existsSync(csv(runId)) ? readFileSync(csv(runId), "utf8") : "";
      const rows: { round: string }[] = parse(text.slice(0, text.lastIndexOf("\n") + 1), { columns: true });
      return rows.map(({ round }) => Number(round));
    },
    whole: (runId) => elenchus(words(runId), folder),
    resume: (runId) => elenchus(words(runId), folder),
    async kill(runId, seed, kill) {
      const random = createRandom(seed, "kill", kill);
      const run = startElenchus(words(runId), folder);
      // A fifth of the kills fall anywhere in the start-up, the others while rounds go on.
      if (random.next() < 0.2) await pause(random.next() * 1500);
      else {
        await run.said(/^ *\d+\/\d+ +0\.\d/m).catch(() => {});
        await pause(random.next() * 400);
      }
      run.child.kill("SIGKILL");
      return (await run.finished).signal === "SIGKILL";
    },
  };
}
