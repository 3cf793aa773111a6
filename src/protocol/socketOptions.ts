import type { PeerCertificate } from "node:tls";
import type { ServerOptions } from "socket.io";
import type { ManagerOptions, SocketOptions } from "socket.io-client";
import { ClientTransport } from "./clientTransport.js";
import type { Limits } from "./limits.js";
import type { Handshake } from "./messages/handshake.js";

/** The keys of the `[server]` table that set the heart beat, in seconds. */
export interface HeartbeatSettings {
  readonly ping_interval: number;
  readonly ping_timeout: number;
}

/** Milliseconds before the first attempt to connect again, and between later ones at most. */
const RECONNECTION = { reconnectionDelay: 100, reconnectionDelayMax: 2000 };

/** Room for the names around a message: event, ids, JSON. */
const ENVELOPE_BYTES = 64 * 1024;

/** Bytes of the largest frame that a peer within the limits sends. */
export function largestFrame(limits: Pick<Limits, "chunk_bytes" | "report_bytes">): number {
  return Math.max(limits.chunk_bytes, limits.report_bytes) + ENVELOPE_BYTES;
}

/**
 * How a server listens: WebSocket only, so that no session needs to stick to a process; no compression, since
 * weights do not shrink (float32 noise to 0.91, at 45 MB/s); no connection-state recovery, which would keep
 * every chunk in memory for two minutes. A session is resumed by its own id instead.
 */
export function serverSocketOptions(limits: Limits, heartbeat: HeartbeatSettings) {
  return {
    transports: ["websocket"],
    serveClient: false,
    maxHttpBufferSize: largestFrame(limits),
    perMessageDeflate: false,
    httpCompression: false,
    pingInterval: heartbeat.ping_interval * 1000,
    pingTimeout: heartbeat.ping_timeout * 1000,
  } satisfies Partial<ServerOptions>;
}

/** By what a client knows that a server is the one it is looking for. */
export interface ServerTrust {
  /** Certificates in PEM that may vouch for the server's. */
  readonly ca: readonly string[];
  /** In the place of Node's check that the certificate is for the server's name; an error refuses it. */
  readonly checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
}

type ClientSocketOptions = Partial<ManagerOptions & SocketOptions> & typeof RECONNECTION;

/** Options that are handed through to the `ws` package; socket.io's types do not know them. */
interface WebSocketOptions {
  perMessageDeflate: false;
  /** Bytes of the largest frame to take; 100 MiB without it. */
  maxPayload: number;
}

/**
 * How a client connects.
 * @param auth gives the handshake: asked again at every connection, since a later one resumes a session
 * @param limits the client's own, from its configuration: the server's are not known before its welcome
 * @param trust Node's own judgement where it is absent
 */
export function clientSocketOptions(
  auth: () => Handshake,
  limits: Limits,
  trust?: ServerTrust,
): ClientSocketOptions {
  const options: ClientSocketOptions = {
    transports: [ClientTransport],
    // Each client its own connection, also where several live in one process.
    forceNew: true,
    ...RECONNECTION,
    auth: (give) => give(auth()),
  };
  const handedThrough: WebSocketOptions = { perMessageDeflate: false, maxPayload: largestFrame(limits) };
  return Object.assign(options, handedThrough, trust);
}

/**
 * Lets go of the HTTP request that began a connection, which socket.io keeps as long as the connection:
 * `io.engine.on("connection", dropRequest)`.
 */
export function dropRequest(connection: { request: unknown }): void {
  connection.request = null;
}
