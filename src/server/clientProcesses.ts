import { ElenchusError, type Logger, type LogLevel } from "../base/index.js";
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
  readonly runId: string;
  readonly logLevel: LogLevel;
  readonly logger: Logger;
  /** How often one process may be started again before it is left dead. Default 3. */
  readonly restarts?: number;
}

/** Client processes on this machine. */
export interface ClientProcesses {
  /** Settles with an error when every process is dead and none may be started again; else never. */
  readonly exhausted: Promise<ElenchusError>;
  /** Process ids of the operating system, by process number from 1. */
  pids(): ReadonlyMap<number, number>;
  /** Ends all of them: asked first, killed after the deadline in seconds (default 5). */
  close(deadline?: number): Promise<void>;
}

/** Starts `count` client processes, numbered from 1, and starts again those that die. */
export function startClientProcesses(options: ClientProcessesOptions): ClientProcesses {
  throw new ElenchusError("INTERNAL", `no launcher for ${options.entry.href} yet`);
}
