import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "socket.io";
import { ElenchusError, messageOf } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { FederationIo } from "./clientLinks.js";
import { createFederationRun } from "./federationRun.js";
import type { RunningServer, ServerOptions } from "./serverOptions.js";
import { awaitedProcesses } from "./startingPoint.js";

/** Bytes of a packet beside its payload. */
const PACKET_OVERHEAD = 64 * 1024;

/**
 * Listens and runs the federation to its end.
 * @throws PORT_UNAVAILABLE when the address or port cannot be had; CHECKPOINT_INVALID when the row of the
 * checkpoint to resume from is none; errors of `host.initialWeights()`
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, logger } = options;
  const weights = options.resume?.weights ?? (await options.host.initialWeights());

  const http = createServer();
  const io: FederationIo = new Server(http, socketOptions(config));
  const run = createFederationRun(options, io, weights);
  const url = await listen(http, config.server.address, config.server.port);
  // A listening server that fails later has no one to reject to.
  http.on("error", (error) => logger.error(`The server's socket failed: ${messageOf(error)}`));
  const expected = awaitedProcesses(config, options.launched);
  run.begin({ kind: "listening", url, expected });
  return { url, done: run.done, stop: run.stop, fail: run.fail };
}

function socketOptions({ server }: Config) {
  return {
    serveClient: false,
    // Without polling there is no session stickiness to care for, and one size limit instead of two.
    transports: ["websocket" as const],
    perMessageDeflate: false,
    pingInterval: server.ping_interval * 1000,
    pingTimeout: server.ping_timeout * 1000,
    maxHttpBufferSize: Math.max(server.max_chunk_bytes, server.max_report_bytes) + PACKET_OVERHEAD,
  };
}

async function listen(http: ReturnType<typeof createServer>, address: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", (cause) =>
      reject(
        new ElenchusError(
          "PORT_UNAVAILABLE",
          `The server cannot listen on ${address}:${port}: ${messageOf(cause)}. Choose another server.port, or 0 for any free one.`,
          { cause, details: { address, port } },
        ),
      ),
    );
    http.listen(port, address, resolve);
  });
  http.removeAllListeners("error");
  const { port: taken, family } = http.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}
