import type { Algorithm } from "../algorithms/index.js";
import type { Clock, ElenchusError, Logger } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { End } from "../protocol/index.js";
import type { RoundRecord } from "../results/index.js";
import type { TrainerHost } from "../trainers/index.js";
import type { Checkpoint } from "../weights/index.js";
import type { RunSummary } from "./runSummary.js";
import type { ServerEvent } from "./serverEvents.js";

/** What the server needs in order to run a federation. */
export interface ServerOptions {
  readonly config: Config;
  readonly runId: string;
  /** A folder for this run alone, where updates wait that arrived before their turn and are large. */
  readonly spoolFolder: string;
  /** Where evaluators with `log_samples = true` log them. Absent: nowhere. */
  readonly samplesFolder?: string;
  /** Where answers of language models are kept, should the round be evaluated once more. Absent: nowhere. */
  readonly answersFolder?: string;
  /** Where the server tests: never in its own process, so that heartbeats do not wait. */
  readonly host: TrainerHost;
  readonly algorithm: Algorithm;
  /** Where rows go. */
  readonly record: RoundSink;
  /** The last row of the record by column, which clients are told at the end. Absent: they are told none. */
  readonly lastRow?: () => Promise<End["last_row"]>;
  /** Where checkpoints go. */
  readonly checkpoints: CheckpointSink;
  readonly logger: Logger;
  readonly clock: Clock;
  /** What every client must know. */
  readonly token: string;
  /** Client processes that `run` has started; absent when clients come by themselves. */
  readonly launched?: number;
  /** Where an earlier run of the same id stopped. */
  readonly resume?: Checkpoint;
  /** For the live table; called in order, must not throw and must not wait. */
  readonly onEvent?: (event: ServerEvent) => void;
}

/** Takes one finished row. */
export interface RoundSink {
  append(record: RoundRecord): Promise<void>;
}

/** Takes the state of the federation after a round, all or nothing. */
export interface CheckpointSink {
  save(checkpoint: Checkpoint): Promise<void>;
}

/** A server that listens. */
export interface RunningServer {
  /** `http://address:port`, `https` with `server.tls_cert`, with the port that was really taken. */
  readonly url: string;
  /** Settles when the run has ended and every file and connection is closed. Never rejects. */
  readonly done: Promise<RunSummary>;
  /** Ends the run as interrupted; the round in flight is given up. Repeated calls change nothing. */
  stop(reason: string): void;
  /** Ends the run as failed, for a reason outside the server: no client process can be started any more. */
  fail(error: ElenchusError): void;
}
