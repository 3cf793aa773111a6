import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type Logger, makeFolder, messageOf, namesIn, sentence, writeAtomic } from "../base/index.js";
import type { ClientStateStore } from "./clientStateStore.js";

/**
 * Stores of several runs in one folder. The run id comes from the server: it is a path part only if it is
 * harmless as one.
 */
export function fileStateStores(folder: string, logger: Logger): (runId: string) => ClientStateStore {
  return (runId) => {
    const harmless = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(runId);
    const part = harmless ? runId : createHash("sha256").update(runId).digest("hex");
    return fileStateStore(join(folder, part), logger);
  };
}

/**
 * Keeps each state as `<folder>/<client>/<round>.state`. The round in the name is what makes a second
 * attempt at a round, or a run resumed after it, start from the same state as the first one. A damaged file
 * counts as not there, with a warning.
 * @param keep states kept per client, at least 2: the newest may be of a round that is tried again
 */
export function fileStateStore(folder: string, logger: Logger, keep = 4): ClientStateStore {
  const folderOf = (clientId: number) => join(folder, String(clientId));

  return {
    async load(clientId, round, lastRound) {
      const known = await roundsIn(folderOf(clientId));
      const fitting = known.filter((saved) =>
        lastRound === undefined ? saved < round : saved === lastRound,
      );
      for (const saved of fitting.reverse()) {
        const path = join(folderOf(clientId), `${saved}.state`);
        try {
          return parseState(await readFile(path));
        } catch (error) {
          logger.warn(
            `The state of client ${clientId} after round ${saved} is lost, as ${path} cannot be used: ${sentence(messageOf(error))} ${lastRound === undefined ? "The one before it is used, or none." : "None is used in its place."}`,
          );
        }
      }
      return new Map();
    },
    async save(clientId, round, state, lastRound) {
      const own = folderOf(clientId);
      const before = await roundsIn(own);
      // Most trainers keep no state; theirs costs no file.
      if (state.size === 0 && before.length === 0) return;
      await makeFolder(own);
      await writeAtomic(join(own, `${round}.state`), serialize(state));
      const saved = [...new Set([...before, round])].sort((a, b) => a - b);
      const past = saved.filter((other) => other <= round);
      const outdated = [...past.slice(0, -keep), ...saved.filter((other) => other > round)];
      for (const other of outdated.filter((one) => one !== lastRound))
        await rm(join(own, `${other}.state`), { force: true });
    },
  };
}

/** @throws when the bytes are no state */
function parseState(bytes: Uint8Array): ReadonlyMap<string, unknown> {
  const state: unknown = deserialize(bytes);
  if (state instanceof Map && [...state.keys()].every((key) => typeof key === "string")) return state;
  throw new Error("it holds something else than a map with texts as keys");
}

/** Rounds of which a state is kept, ascending. */
async function roundsIn(folder: string): Promise<number[]> {
  return (await namesIn(folder))
    .map((name) => /^(\d+)\.state$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}
