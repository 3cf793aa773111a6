import { stat } from "node:fs/promises";
import { ElenchusError, messageOf } from "../base/index.js";
import { downloadFile } from "./downloadFile.js";
import { withFileLock } from "./fileLock.js";
import type { HubEnvironment } from "./hubRequest.js";
import { loggedProgress } from "./loggedProgress.js";

/** A file that several servers may have. */
export interface NamedFile {
  /** What it is called in messages. */
  readonly name: string;
  /** Where it is, the one that is asked first in front. */
  readonly addresses: readonly string[];
  /** Where it goes. */
  readonly target: string;
  /** What its content must be. */
  readonly sha256?: string | undefined;
}

/**
 * Fetches a file that is on no hub, unless it is there: from the first server that gives it, once for all processes.
 * @throws HUB_NOT_FOUND where the network must not be asked; else what the last server came to, saying all
 */
export async function fetchFile(file: NamedFile, environment: HubEnvironment): Promise<void> {
  const { name, addresses, target, sha256 } = file;
  if (await exists(target)) return;
  if (environment.settings.offline) {
    throw new ElenchusError(
      "HUB_NOT_FOUND",
      `${name} is not at ${target}, and the network must not be asked (HF_HUB_OFFLINE). Put it there.`,
    );
  }
  const progress = environment.progress ?? loggedProgress(environment);
  const connection = { ...environment, progress, plain: true };
  const lock = { signal: environment.signal };
  await withFileLock(`${target}.lock`, lock, async () => {
    if (await exists(target)) return;
    const failures: string[] = [];
    for (const [place, address] of addresses.entries()) {
      try {
        await downloadFile(connection, { address, name, target, sha256 });
        return;
      } catch (error) {
        failures.push(`${address}: ${messageOf(error)}`);
        if (error instanceof ElenchusError && error.code === "INTERRUPTED") throw error;
        if (place < addresses.length - 1) continue;
        const code = error instanceof ElenchusError ? error.code : "HUB_UNREACHABLE";
        throw new ElenchusError(code, `${name} was not to be had:\n${failures.join("\n")}`, { cause: error });
      }
    }
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
