import { createHash } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import type { Assign, Reply, Welcome } from "../../../src/protocol/index.js";
import { encodeWeights, type Weights } from "../../../src/weights/index.js";
import { TOKEN, weightsOf } from "./federation.js";

/** A client whose every message the test decides on: it answers the server and does nothing by itself. */
export interface RawClient {
  readonly socket: Socket;
  readonly welcome: Promise<Welcome>;
  /** The next assignment that was not yet taken, once its weights are there. */
  assignment(): Promise<Assign>;
  ask(event: string, ...args: unknown[]): Promise<Reply>;
  /** A whole report on an assignment, with anything replaced. @returns the replies, the last one first */
  report(assign: Assign, changed?: RawReport): Promise<Reply>;
  close(): void;
}

export interface RawReport {
  message?: Record<string, unknown>;
  weights?: Weights;
  bytes?: Uint8Array;
  sha256?: string;
  transfer?: Record<string, unknown>;
}

let transfers = 0;

export function rawClient(url: string, auth: Record<string, unknown> = {}): RawClient {
  const socket = io(url, {
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
    auth: { protocol: 1, token: TOKEN, process: 1, ...auth },
  });
  const arrived: Assign[] = [];
  const takers: ((assign: Assign) => void)[] = [];
  const announced = new Map<string, Assign>();
  socket.on("assign", (assign: Assign, reply: (reply: Reply) => void) => {
    announced.set(assign.transfer.id, assign);
    reply({ ok: true });
  });
  // Acknowledgements that are on their way still arrive.
  socket.on("end", () => setTimeout(() => socket.disconnect(), 20));
  socket.on("chunk", (_header, _data, reply) => reply({ ok: true }));
  socket.on("transfer_done", ({ transfer }, reply) => {
    reply({ ok: true });
    const assign = announced.get(transfer)!;
    const taker = takers.shift();
    if (taker) taker(assign);
    else arrived.push(assign);
  });
  const ask = (event: string, ...args: unknown[]): Promise<Reply> =>
    socket.timeout(3000).emitWithAck(event, ...args);

  return {
    socket,
    welcome: new Promise((resolve) => socket.once("welcome", resolve)),
    assignment() {
      const next = arrived.shift();
      return next ? Promise.resolve(next) : new Promise((resolve) => takers.push(resolve));
    },
    ask,
    async report(assign, changed = {}) {
      const bytes = changed.bytes ?? Buffer.concat(encodeWeights(changed.weights ?? weightsOf(1, 2, 3, 4)));
      const transfer = {
        id: `raw-${++transfers}`,
        bytes: bytes.length,
        chunks: 1,
        chunk_bytes: 1024 ** 2,
        ...changed.transfer,
      };
      const opened = await ask("report", { ...reportMessage(assign), transfer, ...changed.message });
      if (!opened.ok) return opened;
      const chunk = await ask("chunk", { transfer: transfer.id, index: 0 }, bytes);
      if (!chunk.ok) return chunk;
      const sha256 = changed.sha256 ?? createHash("sha256").update(bytes).digest("hex");
      return ask("transfer_done", { transfer: transfer.id, sha256 });
    },
    close: () => socket.disconnect(),
  };
}

export function reportMessage({ round, client_id }: Assign) {
  return { round, client_id, num_samples: 1, train_loss: null, training_time: 0, scalar: null };
}

/** The structured reason with which a connection was refused. */
export function refusalOfConnection(client: RawClient): Promise<unknown> {
  return new Promise((resolve, reject) => {
    client.socket.once("connect_error", (error: Error & { data?: unknown }) => resolve(error.data));
    client.socket.once("connect", () => reject(new Error("the connection was not refused")));
  });
}
