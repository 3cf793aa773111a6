// Upload of 100 MB of weights over the real transfer code, beside a plain TCP transfer that hashes the same
// bytes at both ends: client and server in separate processes, alternating, warm. node --import tsx bench/transfer.ts
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
  limitsOf,
  PROTOCOL_VERSION,
  preparePayload,
  request,
  sendPayload,
} from "../src/protocol/index.js";
import { SETTINGS } from "./transferSettings.js";

const WARM_UP = 3;
const PAIRS = 15;
const GOAL = 0.7;

const bufferutil = await import("bufferutil" as string).then(
  () => true,
  () => false,
);
const limits = limitsOf(SETTINGS);
const bytes = randomBytes(SETTINGS.bytes);
const child = fork(new URL("./transferServer.ts", import.meta.url), { execArgv: nodeArguments() });
const [ports] = (await once(child, "message")) as [{ http: number; tcp: number }];

const socket = io(`http://127.0.0.1:${ports.http}`, {
  ...clientSocketOptions(() => ({ protocol: PROTOCOL_VERSION, token: "bench", process: 1 }), limits),
});
await new Promise<void>((settle) => socket.once("connect", settle));
const ask = askOf(socket);
const tcp = connect(ports.tcp, "127.0.0.1");
tcp.setNoDelay(true);
await once(tcp, "connect");

const ours: number[] = [];
const plain: number[] = [];
for (let pair = -WARM_UP; pair < PAIRS; pair++) {
  const times = [await timed(upload), await timed(() => sendPlain(tcp))];
  if (pair < 0) continue;
  ours.push(times[0]!);
  plain.push(times[1]!);
}
const ratio = median(plain.map((time, pair) => time / ours[pair]!));
const rate = (times: number[]) => `${Math.round(SETTINGS.bytes / 1e3 / median(times))} MB/s`;
console.log(
  `transfer: 100 MB up, ${bufferutil ? "with" : "WITHOUT"} bufferutil: ${rate(ours)}; plain TCP: ${rate(plain)}; ` +
    `ratio ${ratio.toFixed(2)} (median of ${PAIRS} pairs; goal ${GOAL})`,
);
socket.disconnect();
tcp.destroy();
child.disconnect();
await once(child, "exit");
if (bufferutil && ratio < GOAL) process.exitCode = 1;

async function upload(): Promise<void> {
  const payload = preparePayload([bytes], limits);
  const transfer = announce(payload);
  const report = {
    round: 1,
    client_id: 1,
    num_samples: 1,
    train_loss: null,
    training_time: 0,
    scalar: null,
    transfer,
  };
  const reply = await request(ask, "report", report, { milliseconds: 10_000 });
  if (!reply.ok) throw new Error(reply.message);
  await sendPayload(ask, payload, transfer, { limits });
}

async function sendPlain(socket: TcpSocket): Promise<void> {
  const hash = createHash("sha256");
  for (let start = 0; start < bytes.length; start += limits.chunk_bytes) {
    const chunk = bytes.subarray(start, start + limits.chunk_bytes);
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

/** Bytes that look like weights: not compressible. */
function randomBytes(length: number): Uint8Array {
  const words = new Uint32Array(length / 4);
  let state = 1;
  for (let index = 0; index < words.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[index] = state;
  }
  return new Uint8Array(words.buffer);
}
