import { ElenchusError } from "../base/index.js";
import { type ComparedRound, type RecordedRun, readTable, sampleFiles } from "../results/index.js";

/**
 * Which rounds are compared, the first one with each of the others. Of one run: the rounds that are named, else its
 * first and its last; of several: one round for all or one for each, else the last of each. Where samples were logged,
 * first and last are those with samples.
 * @throws USAGE where there is nothing to compare, or not as many rounds as runs
 */
export async function comparedRounds(
  runs: readonly RecordedRun[],
  named: readonly number[] | undefined,
): Promise<ComparedRound[]> {
  const [only] = runs;
  if (only !== undefined && runs.length === 1) {
    const rounds = named ?? (await ends(only));
    if (rounds.length < 2) {
      throw usage(
        `--compare needs two rounds of the run "${only.runId}", and has ${rounds.length}. Name them with --rounds 1,5, or name another run.`,
      );
    }
    return rounds.map((round) => ({ run: only, round }));
  }
  if (named !== undefined && named.length !== 1 && named.length !== runs.length) {
    throw usage(
      `--rounds names ${named.length} rounds for ${runs.length} runs: expected one, or one for each.`,
    );
  }
  return Promise.all(
    runs.map(async (run, place) => ({
      run,
      round: named === undefined ? await lastOf(run) : (named[place] ?? named[0]!),
    })),
  );
}

async function ends(run: RecordedRun): Promise<number[]> {
  const rounds = await roundsOf(run);
  return [...new Set([rounds[0], rounds.at(-1)].filter((round) => round !== undefined))];
}

async function lastOf(run: RecordedRun): Promise<number> {
  const last = (await roundsOf(run)).at(-1);
  if (last === undefined) throw usage(`The run "${run.runId}" has no rows to compare yet.`);
  return last;
}

/** Ascending; those with samples, where there are any. */
async function roundsOf({ paths, manifest }: RecordedRun): Promise<number[]> {
  const logged = new Set((await sampleFiles(paths.samples)).map(({ round }) => round));
  if (logged.size > 0) return [...logged];
  const { rows } = await readTable(paths.csv);
  return rows.map((cells, index) => Number(cells.get("round") ?? (manifest?.first_round ?? 1) + index));
}

function usage(message: string): ElenchusError {
  return new ElenchusError("USAGE", message);
}
