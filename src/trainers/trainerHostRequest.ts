import type { Clock, Logger } from "../base/index.js";
import type { Config } from "../config/index.js";

/** What a trainer host is made from. */
export interface TrainerHostRequest {
  readonly config: Config;
  /** The user's modules; a worker loads them first. In this process they are taken as loaded. */
  readonly imports: readonly string[];
  /** Whose trainer it is: the server tests the global model, a client trains and tests its own. */
  readonly role: "server" | "client";
  /** In this process, or in a worker process of its own that is started on first use. */
  readonly where: "process" | "worker";
  readonly logger: Logger;
  readonly clock: Clock;
  /** Deadlines in seconds. */
  readonly deadlines?: Partial<HostDeadlines>;
}

/** How long a host waits for its worker, in seconds. */
export interface HostDeadlines {
  /** From the start of a worker to its first word, the user's modules loaded. Default 120. */
  start: number;
  /** For local training, and for the testing strategy, each. Default `server.round_deadline`. */
  answer: number;
  /** What an evaluator gets beyond its own `timeout` to end by itself before the worker is killed. Default 5. */
  grace: number;
}
