import type { Clock, Logger } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { End, ServerTrust } from "../protocol/index.js";
import type { TrainerHost } from "../trainers/index.js";
import type { ClientStateStore } from "./clientStateStore.js";

/** What a client process needs in order to work for a server. */
export interface ClientOptions {
  readonly config: Config;
  /** Where the server listens, for example `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly token: string;
  /** By what the server is known, with an `https` URL. Absent: as Node does it. */
  readonly trust?: ServerTrust | undefined;
  /** Names this process; the logical client itself with `server.disable_clients = true`. From 1. */
  readonly processId: number;
  readonly host: TrainerHost;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where the states of logical clients live between the rounds of a run. */
  readonly stateStoreOf: (runId: string) => ClientStateStore;
  /** Where evaluators with `log_samples = true` log them for a logical client. Absent: nowhere. */
  readonly samplesFolderOf?: (runId: string, clientId: number) => string | undefined;
  /** Ends the client in an orderly way. */
  readonly signal?: AbortSignal;
  /**
   * True when the server's own process has started this one, and both speak to the same reader: what the server
   * is told of, and tells, is not said here too. Default false.
   */
  readonly launched?: boolean;
  /** Seconds to go on trying to reach a server that is not there, or not there any more. Default 600. */
  readonly connectSeconds?: number;
}

/** A client that works or tries to connect. */
export interface RunningClient {
  /**
   * Settles when the server has ended the run or `stop` was called.
   * Rejects with CONNECTION_REFUSED (wrong token, wrong protocol, taken identity), CONNECTION_LOST,
   * TLS_INVALID for a server that is not trusted, or CONFIG_CONFLICT when the server's chunks are larger than this client's configuration allows.
   */
  readonly done: Promise<ClientSummary>;
  stop(reason: string): void;
}

/** How a client ended. */
export interface ClientSummary {
  /** What the server said of the run, or `interrupted` when this client was told to stop. */
  readonly status: End["status"];
  readonly reason: string;
  /** Null when there never was a connection. */
  readonly runId: string | null;
  /** Rounds finished in the whole run, as far as this client knows. */
  readonly rounds: number;
  /** The last row of the record by column; null when the server told none. */
  readonly lastRow: End["last_row"];
  /** Why the run did not complete, in the server's words; null when it did, and when this client was told to stop. */
  readonly error: End["error"];
  /** Trainings finished. */
  readonly trained: number;
}
