import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { makeFolder, namesIn, writeAtomic } from "../base/index.js";
import type { ClientStateStore } from "./clientStateStore.js";

/**
 * Stores of several runs in one folder. The run id comes from the server: it is a path part only if it is
 * harmless as one.
 */
export function fileStateStores(folder: string): (runId: string) => ClientStateStore {
  return (runId) => {
    const harmless = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(runId);
    const part = harmless ? runId : createHash("sha256").update(runId).digest("hex");
    return fileStateStore(join(folder, part));
  };
}

/**
 * Keeps each state as `<folder>/<client>/<round>.state`. The round in the name is what makes a second
 * attempt at a round, or a run resumed after it, start from the same state as the first one.
 * @param keep states kept per client, at least 2: the newest may be of a round that is tried again
 */
export function fileStateStore(folder: string, keep = 4): ClientStateStore {
  const folderOf = (clientId: number) => join(folder, String(clientId));

  return {
    async load(clientId, round) {
      const before = (await roundsIn(folderOf(clientId))).filter((saved) => saved < round);
      const newest = before.at(-1);
      if (newest === undefined) return new Map();
      return deserialize(await readFile(join(folderOf(clientId), `${newest}.state`))) as Map<string, unknown>;
    },
    async save(clientId, round, state) {
      const own = folderOf(clientId);
      const before = await roundsIn(own);
      // Most trainers keep no state; theirs costs no file.
      if (state.size === 0 && before.length === 0) return;
      await makeFolder(own);
      await writeAtomic(join(own, `${round}.state`), serialize(state));
      const saved = [...new Set([...before, round])].sort((a, b) => a - b);
      const past = saved.filter((other) => other <= round);
      const outdated = [...past.slice(0, -keep), ...saved.filter((other) => other > round)];
      for (const other of outdated) await rm(join(own, `${other}.state`), { force: true });
    },
  };
}

/** Rounds of which a state is kept, ascending. */
async function roundsIn(folder: string): Promise<number[]> {
  return (await namesIn(folder))
    .map((name) => /^(\d+)\.state$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}
