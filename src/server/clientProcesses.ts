import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import { type Clock, ElenchusError, type Logger, type LogLevel, nodeArguments } from "../base/index.js";
import type { Config } from "../config/index.js";

/** What the launcher of client processes needs. */
export interface ClientProcessesOptions {
  /** Entry file of a client process: `clientEntry` of the client room. */
  readonly entry: URL;
  readonly count: number;
  readonly config: Config;
  /** Users' modules that every process loads first. */
  readonly imports: readonly string[];
  readonly url: string;
  readonly token: string;
  /** Where states of logical clients live between rounds, shared by all processes. */
  readonly stateFolder: string;
  readonly logLevel: LogLevel;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How often a process that keeps dying within a minute is started again. Default 3. */
  readonly restarts?: number;
}

/** Client processes on this machine. */
export interface ClientProcesses {
  /** Settles with an error when every process is dead and none may be started again; else never. */
  readonly exhausted: Promise<ElenchusError>;
  /** Process ids of the operating system, by process number from 1. */
  pids(): ReadonlyMap<number, number>;
  /** Ends all of them: waits for them to go, then asks, then kills. Seconds for each step, default 5. */
  close(seconds?: number): Promise<void>;
}

/** A slot for one numbered process. */
interface Slot {
  readonly number: number;
  child: ChildProcess | null;
  /** Starts since it last worked for a while. */
  starts: number;
  startedAt: number;
  /** Last lines it wrote, for whoever must know why it died. */
  lines: string[];
}

const RESTARTS = 3;
const KEPT_LINES = 10;
/** A process that lived for so many milliseconds did not die of how it was started. */
const HEALTHY = 60_000;
/** A process that ends with this status was given something it cannot work with; so would be the next one. */
const BAD_INPUT = 2;

/** Starts `count` client processes, numbered from 1, and starts again those that die. */
export function startClientProcesses(options: ClientProcessesOptions): ClientProcesses {
  const { entry, count, logger, clock, restarts = RESTARTS } = options;
  const { config, imports, url, token, stateFolder, logLevel } = options;
  const slots = Array.from(
    { length: count },
    (_, index): Slot => ({ number: index + 1, child: null, starts: 0, startedAt: 0, lines: [] }),
  );
  let closing = false;
  let exhaust: (error: ElenchusError) => void;
  const exhausted = new Promise<ElenchusError>((resolve) => {
    exhaust = resolve;
  });

  const start = (slot: Slot) => {
    const child = fork(entry, [], {
      execArgv: nodeArguments(),
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    slot.child = child;
    slot.starts++;
    slot.startedAt = clock.monotonic();
    slot.lines = [];
    follow(slot, child.stdout!, (line) => logger.info(line));
    follow(slot, child.stderr!, (line) => passOn(line, logger));
    // Errors of starting and of sending are followed by `close`, where they are dealt with.
    child.on("error", (error) => slot.lines.push(String(error)));
    child.once("close", (code, signal) => ended(slot, code, signal));
    child.send({ config, imports, url, token, stateFolder, logLevel, processId: slot.number }, () => {});
  };
  const ended = (slot: Slot, code: number | null, signal: NodeJS.Signals | null) => {
    slot.child = null;
    if (closing || code === 0) return;
    const how = signal === null ? `status ${code}` : `signal ${signal}`;
    const last = slot.lines.length === 0 ? "it wrote nothing" : `its last lines: ${slot.lines.join(" | ")}`;
    if (clock.monotonic() - slot.startedAt > HEALTHY) slot.starts = 0;
    const again = slot.starts <= restarts && code !== BAD_INPUT;
    logger.warn(
      `Client process ${slot.number} ended with ${how}; ${last}. ${again ? "It is started again." : "It is left dead."}`,
    );
    if (again) start(slot);
    else if (slots.every(({ child }) => child === null)) {
      exhaust(
        new ElenchusError(
          "CLIENT_FAILED",
          `Every client process is dead; the last one ended with ${how}, ${last}.`,
          { details: { process: slot.number, code, signal } },
        ),
      );
    }
  };

  for (const slot of slots) start(slot);
  return {
    exhausted,
    pids: () => new Map(slots.flatMap(({ number, child }) => (child?.pid ? [[number, child.pid]] : []))),
    async close(seconds = 5) {
      closing = true;
      const alive = () => slots.flatMap(({ child }) => (child === null ? [] : [child]));
      if (await allEnded(alive(), seconds)) return;
      for (const child of alive()) child.kill("SIGTERM");
      if (await allEnded(alive(), seconds)) return;
      for (const child of alive()) child.kill("SIGKILL");
      await allEnded(alive(), seconds);
    },
  };
}

/** Whether all processes end within some seconds. */
async function allEnded(children: readonly ChildProcess[], seconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), seconds * 1000);
  });
  const ends = children.map((child) => new Promise((resolve) => child.once("close", resolve)));
  const all = Promise.all(ends).then(() => true);
  const result = await Promise.race([all, deadline]);
  clearTimeout(timer);
  return result;
}

function follow(slot: Slot, stream: NodeJS.ReadableStream, pass: (line: string) => void): void {
  createInterface({ input: stream }).on("line", (line) => {
    slot.lines = [...slot.lines.slice(1 - KEPT_LINES), line];
    pass(`client ${slot.number}: ${line}`);
  });
}

/** Passes on a line of a process's log at the level it was written with. */
function passOn(line: string, logger: Logger): void {
  const level = /^client \d+: (debug|warn|error)\b/.exec(line)?.[1];
  if (level === "error") logger.error(line);
  else if (level === "warn") logger.warn(line);
  else if (level === "debug") logger.debug(line);
  else logger.info(line);
}
