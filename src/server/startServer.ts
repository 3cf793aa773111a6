import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Server } from "socket.io";
import { contentsOf } from "../algorithms/index.js";
import { ElenchusError, messageOf, sentence } from "../base/index.js";
import { dropRequest, limitsOf, serverSocketOptions } from "../protocol/index.js";
import { layoutOf } from "../weights/index.js";
import type { FederationIo } from "./clientLinks.js";
import { createFederationRun } from "./federationRun.js";
import type { RunningServer, ServerOptions } from "./serverOptions.js";
import { readServerTls } from "./serverTls.js";
import { awaitedProcesses } from "./startingPoint.js";

/**
 * Listens and runs the federation to its end.
 * @throws TLS_INVALID; PORT_UNAVAILABLE when the address or port cannot be had; CHECKPOINT_INVALID when the row of the
 * checkpoint to resume from is none; CONFIG_CONFLICT for a model that the algorithm cannot work on; errors of `host.initialWeights()`
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, logger, clock } = options;
  const weights = options.resume?.weights ?? (await options.host.initialWeights());
  // A model that the algorithm cannot work on is found before anybody connects.
  contentsOf(options.algorithm.server, layoutOf(weights));

  const tls = await readServerTls(config.server, clock);
  const http = tls === undefined ? createServer() : createTlsServer({ ...tls, minVersion: "TLSv1.2" });
  const io: FederationIo = new Server(http, serverSocketOptions(limitsOf(config.server), config.server));
  io.engine.on("connection", dropRequest);
  const run = createFederationRun(options, io, weights);
  const { address, port } = config.server;
  const url = await listen(http, { scheme: tls === undefined ? "http" : "https", address, port });
  // A listening server that fails later has no one to reject to.
  http.on("error", (error) => logger.error(`The server's socket failed: ${sentence(messageOf(error))}`));
  const expected = awaitedProcesses(config, options.launched);
  run.begin({ kind: "listening", url, expected });
  return { url, done: run.done, stop: run.stop, fail: run.fail };
}

async function listen(
  http: HttpServer,
  { scheme, address, port }: { scheme: string; address: string; port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", (cause) => reject(unavailable(cause, address, port)));
    http.listen(port, address, resolve);
  });
  http.removeAllListeners("error");
  const { port: taken, family } = http.address() as AddressInfo;
  return `${scheme}://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

/** Codes of an address that is none of this machine's, and of a port that somebody else has or keeps for himself. */
const BAD_ADDRESS: ReadonlySet<unknown> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
]);
const BAD_PORT: ReadonlySet<unknown> = new Set(["EADDRINUSE", "EACCES"]);

function unavailable(cause: NodeJS.ErrnoException, address: string, port: number): ElenchusError {
  const mends = [
    ...(BAD_PORT.has(cause.code)
      ? []
      : [
          "Set server.address to an address of this machine, 127.0.0.1 for example, or 0.0.0.0 for all of them.",
        ]),
    ...(BAD_ADDRESS.has(cause.code) ? [] : ["Choose another server.port, or 0 for any free one."]),
  ];
  return new ElenchusError(
    "PORT_UNAVAILABLE",
    `The server cannot listen on ${address}:${port}: ${sentence(messageOf(cause))} ${mends.join(" ")}`,
    { cause, details: { address, port } },
  );
}
