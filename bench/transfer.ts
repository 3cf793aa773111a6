// Upload of 100 MB of weights as a round does it, with and without the check of what came, beside a plain TCP
// transfer that hashes the same bytes at both ends: client and server in separate processes, alternating, warm.
// Run: node --import tsx bench/transfer.ts
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket as TcpSocket } from "node:net";
import { io } from "socket.io-client";
import { nodeArguments } from "../src/base/index.js";
import {
  announce,
  askOf,
  clientSocketOptions,
  PROTOCOL_VERSION,
  preparePayload,
  request,
  sendPayload,
} from "../src/protocol/index.js";
import { encodeWeights, type Weights } from "../src/weights/index.js";
import { CHECKED, ELEMENTS, LIMITS, RECEIVED } from "./transferSettings.js";

const WARM_UP = 3;
const ROUNDS = 15;
const GOAL = 0.7;

const bufferutil = await import("bufferutil" as string).then(
  () => true,
  () => false,
);
const data = likeWeights(ELEMENTS);
const weights: Weights = new Map([["w", { dtype: "float32", shape: [ELEMENTS], data }]]);
const bytes = new Uint8Array(data.buffer);
const child = fork(new URL("./transferServer.ts", import.meta.url), { execArgv: nodeArguments() });
const [ports] = (await once(child, "message")) as [{ http: number; tcp: number }];

const socket = io(`http://127.0.0.1:${ports.http}`, {
  ...clientSocketOptions(() => ({ protocol: PROTOCOL_VERSION, token: "bench", process: 1 }), LIMITS),
});
await new Promise<void>((settle) => socket.once("connect", settle));
const ask = askOf(socket);
const tcp = connect(ports.tcp, "127.0.0.1");
tcp.setNoDelay(true);
await once(tcp, "connect");

const received: number[] = [];
const checked: number[] = [];
const plain: number[] = [];
for (let round = -WARM_UP; round < ROUNDS; round++) {
  const times = [
    await timed(() => upload(RECEIVED)),
    await timed(() => sendPlain(tcp)),
    await timed(() => upload(CHECKED)),
  ] as const;
  if (round < 0) continue;
  received.push(times[0]);
  plain.push(times[1]);
  checked.push(times[2]);
}
const ratioOf = (ours: readonly number[]) => median(plain.map((time, round) => time / ours[round]!));
const rate = (times: readonly number[]) => `${Math.round(bytes.length / 1e3 / median(times))} MB/s`;
const ratio = ratioOf(received);
console.log(
  `transfer: 100 MB up, ${bufferutil ? "with" : "WITHOUT"} bufferutil: ${rate(received)}; plain TCP: ${rate(plain)}; ` +
    `ratio ${ratio.toFixed(2)} (median of ${ROUNDS} rounds; goal ${GOAL}); ` +
    `with layout and numbers checked: ${rate(checked)}, ratio ${ratioOf(checked).toFixed(2)}`,
);
socket.disconnect();
tcp.destroy();
child.disconnect();
await once(child, "exit");
if (bufferutil && ratio < GOAL) process.exitCode = 1;

async function upload(client: number): Promise<void> {
  const payload = preparePayload(encodeWeights(weights), LIMITS);
  const transfer = announce(payload);
  const report = {
    round: 1,
    client_id: client,
    num_samples: 1,
    train_loss: null,
    training_time: 0,
    scalar: null,
    transfer,
  };
  const reply = await request(ask, "report", report, { milliseconds: 10_000 });
  if (!reply.ok) throw new Error(reply.message);
  await sendPayload(ask, payload, transfer, { limits: LIMITS });
}

async function sendPlain(socket: TcpSocket): Promise<void> {
  const hash = createHash("sha256");
  for (let start = 0; start < bytes.length; start += LIMITS.chunk_bytes) {
    const chunk = bytes.subarray(start, start + LIMITS.chunk_bytes);
    const room = socket.write(chunk);
    hash.update(chunk);
    if (!room) await once(socket, "drain");
  }
  const answer = once(socket, "data");
  socket.write(hash.digest());
  if (String((await answer)[0]) !== "y") throw new Error("the plain transfer was corrupt");
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1]!;
}

/** Numbers below 2 that do not compress, as weights do not. */
function likeWeights(length: number): Float32Array {
  const words = new Uint32Array(length);
  let state = 1;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[index] = state & 0x3fffffff;
  }
  return new Float32Array(words.buffer);
}
