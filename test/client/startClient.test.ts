import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server, type Socket } from "socket.io";
import { afterEach, describe, expect, it } from "vitest";
import { createLogger, systemClock } from "../../src/base/index.js";
import { type ClientOptions, type RunningClient, startClient } from "../../src/client/index.js";
import type { Reply, Report } from "../../src/protocol/index.js";
import { encodeWeights } from "../../src/weights/index.js";
import {
  addsItsNumber,
  configOf,
  type FakeTraining,
  fakeHost,
  weightsOf,
} from "../server/support/federation.js";

/** A server whose every message the test decides on. */
interface RawServer {
  readonly url: string;
  readonly socket: Promise<Socket>;
  readonly io: Server;
}
const LIMITS = {
  chunk_bytes: 1024,
  window: 4,
  payload_bytes: 100_000,
  payload_chunks: 100,
  report_bytes: 10_000,
  buffered_bytes: 200_000,
  payload_seconds: 2,
};
const WELCOME = { session: "s", run_id: "run", limits: LIMITS, grace_seconds: 1 };

const COMPLETED = {
  status: "completed",
  reason: "all rounds are done",
  rounds: 3,
  last_row: null,
  error: null,
};

let io: Server | undefined;
let client: RunningClient | undefined;
afterEach(async () => {
  client?.stop("the test is over");
  await client?.done.catch(() => {});
  await io?.close();
});

async function rawServer(): Promise<RawServer> {
  const http = createServer();
  const server = new Server(http, { transports: ["websocket"] });
  io = server;
  const socket = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, socket, io: server };
}

function start(url: string, training: FakeTraining = {}, changed: Partial<ClientOptions> = {}) {
  const lines: string[] = [];
  client = startClient({
    config: configOf(),
    url,
    token: "t",
    processId: 1,
    host: fakeHost(training),
    logger: createLogger("debug", (line, level) => lines.push(`${level}: ${line}`)),
    clock: systemClock,
    stateStoreOf: () => ({ load: async () => new Map(), save: async () => {} }),
    connectSeconds: 5,
    ...changed,
  });
  client.done.catch(() => {});
  return { lines, client };
}

const ask = (socket: Socket, event: string, ...args: unknown[]): Promise<Reply> =>
  socket.timeout(3000).emitWithAck(event, ...args);

/** Sends an assignment and its weights. @returns the last reply */
async function assign(
  socket: Socket,
  { bytes = Buffer.concat(encodeWeights(weightsOf(0, 0))), id = "t1", round = 1, client_id = 1 } = {},
): Promise<Reply> {
  const transfer = { id, bytes: bytes.length, chunks: 1, chunk_bytes: 1024 };
  const taken = await ask(socket, "assign", {
    round,
    starting_round: round,
    client_id,
    test: false,
    transfer,
  });
  if (!taken.ok) return taken;
  const chunk = await ask(socket, "chunk", { transfer: id, index: 0 }, bytes);
  if (!chunk.ok) return chunk;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return ask(socket, "transfer_done", { transfer: id, sha256 });
}

/** Takes what a client delivers, answering each report with the next of these replies. */
function takeReports(socket: Socket, replies: Reply[]): { reports: Report[]; whole: Promise<void> } {
  const reports: Report[] = [];
  const whole = new Promise<void>((resolve) => {
    socket.on("transfer_done", (_message, reply) => {
      reply({ ok: true });
      resolve();
    });
  });
  socket.on("report", (report: Report, reply) => {
    reports.push(report);
    reply(replies.shift() ?? { ok: true });
  });
  socket.on("chunk", (_header, _data, reply) => reply({ ok: true }));
  return { reports, whole };
}

describe("a client of a server that misbehaves", () => {
  it("takes nothing before the welcome", async () => {
    const server = await rawServer();
    start(server.url);
    const socket = await server.socket;
    expect(await assign(socket)).toMatchObject({ ok: false, code: "foreign" });
    expect(await ask(socket, "chunk", { transfer: "t", index: 0 }, Buffer.alloc(1))).toMatchObject({
      code: "foreign",
    });
    expect(await ask(socket, "transfer_done", { transfer: "t", sha256: "0".repeat(64) })).toMatchObject({
      code: "foreign",
    });
  });

  it("refuses what is malformed or corrupt and goes on", async () => {
    const server = await rawServer();
    const { lines } = start(server.url);
    const socket = await server.socket;
    socket.emit("welcome", { session: 7 });
    socket.emit("welcome", WELCOME);
    socket.emit("no_such_event", 1);
    expect(await ask(socket, "assign", { round: "one" })).toMatchObject({ code: "malformed" });
    expect(
      await assign(socket, { bytes: Buffer.from("no weights, but enough bytes for a header") }),
    ).toMatchObject({
      code: "corrupt",
    });
    expect(lines.filter((line) => line.startsWith("warn"))).toEqual([
      expect.stringMatching(/refused \[malformed\]: "welcome" is malformed at session/),
      expect.stringMatching(/refused \[malformed\]: There is no such event\.$/),
      expect.stringMatching(/refused \[malformed\]: "assign" is malformed at round/),
    ]);
    const { whole, reports } = takeReports(socket, []);
    expect(await assign(socket, { id: "t2" })).toEqual({ ok: true });
    await whole;
    expect(reports[0]).toMatchObject({ round: 1, client_id: 1, num_samples: 10, train_loss: 1 });
  });

  it("ends with the mend when the server's chunks are larger than it takes", async () => {
    const server = await rawServer();
    const { client: running } = start(server.url);
    const socket = await server.socket;
    socket.emit("welcome", { ...WELCOME, limits: { ...LIMITS, chunk_bytes: 2 ** 20 + 1 } });
    await expect(running.done).rejects.toMatchObject({
      code: "CONFIG_CONFLICT",
      exitCode: 2,
      message: expect.stringMatching(
        /1048577 bytes; this client takes at most 1048576.*server\.max_chunk_bytes/,
      ),
    });
  });

  it("tells at its end how often it refused what", async () => {
    const server = await rawServer();
    const { lines, client: running } = start(server.url);
    const socket = await server.socket;
    socket.emit("welcome", WELCOME);
    for (const event of ["assign", "chunk", "nonsense"]) socket.emit(event, 1);
    socket.emit("transfer_done", { transfer: "none", sha256: "0".repeat(64) });
    socket.emit("end", { ...COMPLETED, last_row: { round: 3, accuracy: 0.5, train_loss: null } });
    expect(await running.done).toEqual({
      status: "completed",
      reason: "all rounds are done",
      runId: "run",
      rounds: 3,
      lastRow: { round: 3, accuracy: 0.5, train_loss: null },
      error: null,
      trained: 0,
    });
    expect(lines.filter((line) => line.startsWith("info"))).toContain(
      "info: Refused messages of the server: malformed 3, foreign 1.",
    );
  });

  it("reports again when the server is busy, and not when it refuses", async () => {
    const server = await rawServer();
    start(server.url);
    const socket = await server.socket;
    socket.emit("welcome", WELCOME);
    const refusal = (code: "busy" | "late"): Reply => ({ ok: false, code, message: code });
    const { reports, whole } = takeReports(socket, [refusal("busy"), { ok: true }, refusal("late")]);
    await assign(socket);
    await whole;
    expect(reports).toHaveLength(2);
    expect(reports[1]!.transfer.id).not.toBe(reports[0]!.transfer.id);
    await assign(socket, { id: "t2", round: 2 });
    await expect.poll(() => reports.length).toBe(3);
    await assign(socket, { id: "t3", round: 3 });
    await expect.poll(() => reports.length).toBe(4);
  });

  it("gives up waiting for a busy server when its work is withdrawn", async () => {
    const server = await rawServer();
    start(server.url);
    const socket = await server.socket;
    socket.emit("welcome", WELCOME);
    const { reports } = takeReports(socket, [{ ok: false, code: "busy", message: "full" }]);
    await assign(socket);
    await expect.poll(() => reports.length).toBe(1);
    socket.emit("withdraw", { round: 1, client_id: 1, reason: "too late" });
    await assign(socket, { id: "t2", round: 2 });
    await expect.poll(() => reports.map(({ round }) => round)).toEqual([1, 2]);
  });

  it("says so when its update is larger than the server takes", async () => {
    const server = await rawServer();
    start(server.url, {
      train: (task) => ({ ...addsItsNumber(task), weights: weightsOf(...new Array(50_000).fill(1)) }),
    });
    const socket = await server.socket;
    const failed = new Promise<Record<string, unknown>>((resolve) => {
      socket.on("failed", (message, reply) => {
        reply({ ok: false, code: "late", message: "too late" });
        resolve(message);
      });
    });
    socket.emit("welcome", WELCOME);
    await assign(socket);
    expect(await failed).toMatchObject({ round: 1, client_id: 1, code: "PAYLOAD_INVALID" });
  });

  it.each([
    ["warn", {}],
    ["debug", { launched: true }],
  ])("says at level %s why its training failed", async (level, changed) => {
    const server = await rawServer();
    const broken: FakeTraining = {
      train() {
        throw new Error("boom");
      },
    };
    const { lines } = start(server.url, broken, changed);
    const socket = await server.socket;
    const failed = new Promise((resolve) => socket.on("failed", resolve));
    socket.emit("welcome", WELCOME);
    await assign(socket);
    expect(await failed).toMatchObject({ code: "TRAINING_FAILED", message: "boom" });
    expect(lines.filter((line) => line.includes("boom"))).toEqual([
      `${level}: Client 1 failed in round 1: boom.`,
    ]);
  });

  it("knows when it is told to stop which rounds were finished", async () => {
    const server = await rawServer();
    const { client: running } = start(server.url);
    const socket = await server.socket;
    socket.emit("welcome", WELCOME);
    const { whole } = takeReports(socket, []);
    await assign(socket, { round: 5 });
    await whole;
    running.stop("enough");
    expect(await running.done).toEqual({
      status: "interrupted",
      reason: "enough",
      runId: "run",
      rounds: 4,
      lastRow: null,
      error: null,
      trained: 1,
    });
  });

  it("drops its work when the server does not know it any more", async () => {
    const server = await rawServer();
    let aborted = 0;
    const { client: running } = start(server.url, {
      train: (_task, signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            aborted++;
            reject(new Error("aborted"));
          }),
        ),
    });
    const first = await server.socket;
    first.emit("welcome", WELCOME);
    await assign(first);
    server.io.use((socket, next) => {
      const known = socket.handshake.auth.session === undefined;
      next(
        known
          ? undefined
          : Object.assign(new Error("unknown"), { data: { code: "wrong_session", message: "?" } }),
      );
    });
    const again = new Promise<Socket>((resolve) => server.io.once("connection", resolve));
    first.conn.close();
    const second = await again;
    expect(second.handshake.auth.session).toBeUndefined();
    expect(aborted).toBe(1);
    second.emit("welcome", { ...WELCOME, session: "another", run_id: "another" });
    const error = { code: "QUORUM_MISSED", message: "too few" };
    second.emit("end", { ...COMPLETED, status: "failed", reason: "enough", rounds: 0, error });
    expect(await running.done).toMatchObject({
      status: "failed",
      reason: "enough",
      runId: "another",
      error,
      trained: 0,
    });
  });

  it("comes back when the server sends it away without a word", async () => {
    const server = await rawServer();
    start(server.url);
    const first = await server.socket;
    first.emit("welcome", WELCOME);
    const again = new Promise<Socket>((resolve) => server.io.once("connection", resolve));
    first.disconnect();
    expect((await again).handshake.auth).toMatchObject({ session: "s", process: 1, protocol: 1 });
  });
});
