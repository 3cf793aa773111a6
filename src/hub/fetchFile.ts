import { rm, stat } from "node:fs/promises";
import { ElenchusError, messageOf, PassingFailure } from "../base/index.js";
import { downloadFile } from "./downloadFile.js";
import { withFileLock } from "./fileLock.js";
import { timesText } from "./hubConnection.js";
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
  /**
   * Looks at what came, where no digest says what it must be.
   * @throws where it is something else; the next server is then asked
   */
  readonly check?: (path: string) => Promise<void>;
}

/**
 * Fetches a file that is on no hub, unless it is there: from the first server that gives it, once for all processes.
 * @throws HUB_NOT_FOUND where the network must not be asked; else what the last server came to, saying all
 */
export async function fetchFile(file: NamedFile, environment: HubEnvironment): Promise<void> {
  const { name, addresses, target, sha256, check } = file;
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
        await check?.(target).catch(async (error: unknown) => {
          await rm(target, { force: true });
          throw error;
        });
        return;
      } catch (error) {
        failures.push(`  ${address}: ${reasonOf(error)}`);
        if (error instanceof ElenchusError && error.code === "INTERRUPTED") throw error;
        if (place < addresses.length - 1) continue;
        const code = error instanceof ElenchusError ? error.code : "HUB_UNREACHABLE";
        throw new ElenchusError(code, `${name} cannot be fetched:\n${failures.join("\n")}`, { cause: error });
      }
    }
  });
}

/** Of an address that did not answer, what happened there and how often it was asked. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ElenchusError && error.cause instanceof PassingFailure)) return messageOf(error);
  return `${error.cause.message} (asked ${timesText(Number(error.details.attempts))})`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
