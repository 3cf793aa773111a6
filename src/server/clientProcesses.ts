import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import {
  type Clock,
  ElenchusError,
  type Logger,
  type LogLevel,
  nodeArguments,
  sentence,
} from "../base/index.js";
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
  /**
   * Ends all of them; to be called as soon as the run is over, since from now on none is started again. Whoever
   * was told by the server is waited for, then asked, then killed; the others are asked at once, then killed.
   * The first call decides.
   */
  close(options?: ClosingOptions): Promise<void>;
}

export interface ClosingOptions {
  /** Numbers of the processes that the server tells to go. Default none. */
  readonly told?: readonly number[];
  /** For each step with those. Default 5. */
  readonly seconds?: number;
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
/** Seconds from asking to killing for a process that has not worked yet, and has nothing to bring to an end. */
const HASTE = 0.5;
/** Seconds for a killed process to be gone. */
const KILLED = 5;
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
  let closed: Promise<void> | undefined;
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
    follow(slot, child.stdout!, (line) => logger.info(`client ${slot.number}: ${line}`));
    follow(slot, child.stderr!, (line) => passOn(line, slot.number, logger));
    // Errors of starting and of sending are followed by `close`, where they are dealt with.
    child.on("error", (error) => slot.lines.push(String(error)));
    child.once("close", (code, signal) => ended(slot, code, signal));
    child.send({ config, imports, url, token, stateFolder, logLevel, processId: slot.number }, () => {});
  };
  const ended = (slot: Slot, code: number | null, signal: NodeJS.Signals | null) => {
    slot.child = null;
    if (closed !== undefined) return;
    const how = signal === null ? `status ${code}` : `signal ${signal}`;
    const last = slot.lines.length === 0 ? "it wrote nothing" : `its last lines: ${slot.lines.join(" | ")}`;
    const death = sentence(`ended with ${how}; ${last}`);
    if (clock.monotonic() - slot.startedAt > HEALTHY) slot.starts = 0;
    const again = slot.starts <= restarts && code !== BAD_INPUT;
    logger.warn(
      `Client process ${slot.number} ${death} ${again ? "It is started again." : "It is left dead."}`,
    );
    if (again) start(slot);
    else if (slots.every(({ child }) => child === null)) {
      exhaust(
        new ElenchusError("CLIENT_FAILED", `Every client process is dead; the last one ${death}`, {
          details: { process: slot.number, code, signal },
        }),
      );
    }
  };

  for (const slot of slots) start(slot);
  return {
    exhausted,
    pids: () => new Map(slots.flatMap(({ number, child }) => (child?.pid ? [[number, child.pid]] : []))),
    close({ told = [], seconds = 5 } = {}) {
      const going = slots.filter(({ number }) => told.includes(number));
      const others = slots.filter(({ number }) => !told.includes(number));
      closed ??= Promise.all([leave(going, seconds), end(others, HASTE)]).then(() => {});
      return closed;
    },
  };
}

/** Waits for processes to go by themselves. */
async function leave(slots: readonly Slot[], seconds: number): Promise<void> {
  if (!(await allEnded(slots, seconds))) await end(slots, seconds);
}

/** Asks processes to end, and kills those that are still there some seconds later. */
async function end(slots: readonly Slot[], seconds: number): Promise<void> {
  for (const { child } of slots) child?.kill("SIGTERM");
  if (await allEnded(slots, seconds)) return;
  for (const { child } of slots) child?.kill("SIGKILL");
  await allEnded(slots, KILLED);
}

/** Whether all processes end within some seconds. */
async function allEnded(slots: readonly Slot[], seconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), seconds * 1000);
  });
  const children = slots.flatMap(({ child }) => (child === null ? [] : [child]));
  const ends = children.map((child) => new Promise((resolve) => child.once("close", resolve)));
  const all = Promise.all(ends).then(() => true);
  const result = await Promise.race([all, deadline]);
  clearTimeout(timer);
  return result;
}

function follow(slot: Slot, stream: NodeJS.ReadableStream, pass: (line: string) => void): void {
  createInterface({ input: stream }).on("line", (line) => {
    slot.lines = [...slot.lines.slice(1 - KEPT_LINES), line];
    pass(line);
  });
}

/** Passes on a line of a process's log at the level it was written with, which the log then says by itself. */
function passOn(line: string, number: number, logger: Logger): void {
  const [, level, code = "", text = line] = /^(debug|warn|error)( \[\w+\])?: (.*)$/.exec(line) ?? [];
  logger[(level ?? "info") as Exclude<LogLevel, "silent">](`client ${number}:${code} ${text}`);
}
