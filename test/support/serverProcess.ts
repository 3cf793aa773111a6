import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/** A server that tests have started. */
export interface ServerProcess {
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a server and waits until it answers.
 * @param answers resolves once it does, rejects while it does not
 */
export async function startServerProcess(
  program: string,
  words: readonly string[],
  options: { cwd: string; uid?: number; gid?: number; seconds?: number },
  answers: () => Promise<unknown>,
): Promise<ServerProcess> {
  const { seconds = 60, ...surroundings } = options;
  const child = spawn(program, [...words], { ...surroundings, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      said = `${said}${data}`.slice(-4000);
    });
  }
  let ended = false;
  const end = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      said += error.message;
      ended = true;
      resolve();
    });
    child.once("close", () => {
      ended = true;
      resolve();
    });
  });
  const stop = async () => {
    if (!ended) child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await end;
    clearTimeout(timer);
  };
  for (const deadline = performance.now() + seconds * 1000; ; await pause(100)) {
    if (ended) throw new Error(`${program} ended before it answered: ${said}`);
    try {
      await answers();
      return { stop };
    } catch (error) {
      if (performance.now() < deadline) continue;
      await stop();
      throw new Error(`${program} did not answer in ${seconds} s: ${String(error)}\n${said}`);
    }
  }
}
