import { io, type Socket } from "socket.io-client";
import { ElenchusError, type Logger, sentence } from "../base/index.js";
import {
  type ClientToServerEvents,
  type ConnectRefusal,
  clientSocketOptions,
  type Handshake,
  type Limits,
  refusalOf,
  type ServerToClientEvents,
  type ServerTrust,
} from "../protocol/index.js";

export type ServerSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

export interface ConnectionOptions {
  readonly url: string;
  /** What to say at the next attempt. */
  readonly handshake: () => Handshake;
  /** The client's own, see `clientSocketOptions`. */
  readonly limits: Limits;
  /** With an `https` URL. */
  readonly trust?: ServerTrust | undefined;
  /** Seconds to go on trying. */
  readonly connectSeconds: number;
  readonly logger: Logger;
  /** The session is unknown to the server: forget it before the next attempt. */
  readonly onSessionUnknown: () => void;
  /** The connection was lost; attempts to make it anew are under way. */
  readonly onLost: () => void;
  /** It will not be made any more. */
  readonly onFailure: (error: ElenchusError) => void;
}

/** A connection that is made anew whenever it is lost, until a deadline. */
export interface Connection {
  readonly socket: ServerSocket;
  /** The server has spoken: the connection stands. */
  established(): void;
  /** Ends it for good. */
  close(): void;
}

/** Begins to connect. Listeners on the socket must be set before the next turn of the event loop. */
export function openConnection(options: ConnectionOptions): Connection {
  const { url, connectSeconds, logger } = options;
  let closed = false;
  let deadline: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let lastError = "no attempt has ended yet";

  const socketOptions = clientSocketOptions(options.handshake, options.limits, options.trust);
  const socket: ServerSocket = io(url, socketOptions);
  const close = () => {
    closed = true;
    clearTimeout(deadline);
    clearTimeout(retry);
    socket.disconnect();
  };
  const fail = (error: ElenchusError) => {
    if (closed) return;
    close();
    options.onFailure(error);
  };
  const startDeadline = () => {
    clearTimeout(deadline);
    deadline = setTimeout(() => {
      fail(
        new ElenchusError(
          "CONNECTION_LOST",
          `The server at ${url} could not be reached for ${connectSeconds} s: ${sentence(lastError)} Check that it runs and that server.address and server.port are its own.`,
          { details: { url } },
        ),
      );
    }, connectSeconds * 1000);
  };
  const again = () => {
    // Neither a refusal nor a disconnection by the server makes socket.io try again by itself.
    if (closed || socket.active) return;
    clearTimeout(retry);
    retry = setTimeout(() => socket.connect(), socketOptions.reconnectionDelay);
  };

  socket.on("connect_error", (error: Error & { data?: unknown }) => {
    const cause = causeOf(error);
    lastError = cause.message;
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      logger.debug(`No connection to ${url} yet: ${sentence(cause.message)}`);
      if (isUntrusted(cause)) fail(untrusted(url, cause));
      else again();
    } else if (refusal.code === "wrong_session") {
      options.onSessionUnknown();
      again();
    } else {
      fail(refusedConnection(url, refusal));
    }
  });
  socket.on("disconnect", (reason) => {
    if (closed) return;
    lastError = reason;
    logger.info(`The connection to ${url} was lost (${reason}).`);
    startDeadline();
    options.onLost();
    again();
  });
  startDeadline();
  return { socket, close, established: () => clearTimeout(deadline) };
}

/** What went wrong below socket.io, which speaks of a "websocket error" alone. */
function causeOf(error: Error & { description?: unknown }): Error & { code?: unknown } {
  const { description } = error;
  const event = typeof description === "object" && description !== null ? description : {};
  return "error" in event && event.error instanceof Error ? event.error : error;
}

/** Whether TLS failed in a way that another attempt would not change. Codes of OpenSSL and of Node. */
function isUntrusted({ code }: { code?: unknown }): boolean {
  return (
    typeof code === "string" && /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ERR_TLS_|ERR_SSL_|EPROTO/.test(code)
  );
}

function untrusted(url: string, cause: Error & { code?: unknown }): ElenchusError {
  return new ElenchusError(
    "TLS_INVALID",
    `The server at ${url} is not trusted [${cause.code}]: ${sentence(cause.message)} Give the certificates that vouch for it with clients.tls_ca, connect by a name that its certificate has, or by http if it does not speak TLS.`,
    { cause, details: { url } },
  );
}

function refusedConnection(url: string, { code, message }: ConnectRefusal): ElenchusError {
  return new ElenchusError(
    "CONNECTION_REFUSED",
    `The server at ${url} refused this client [${code}]: ${sentence(message)}`,
    {
      details: { url, refusal: code },
    },
  );
}
