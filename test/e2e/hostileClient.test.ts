import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { io, type Socket } from "socket.io-client";
import { afterEach, expect, it } from "vitest";
import type { Assign, Reply, Welcome } from "../../src/protocol/index.js";
import { elenchus, startElenchus } from "../support/commandLine.js";
import { withoutTimes } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("hostile-client");
const TOKEN = "known-to-the-attacker-too";
const RECORDED = `
[evaluation]
type = "classification"

[results]
types = "round, accuracy, elapsed_time, train_loss"
`;
writeFileSync(join(folder, "attacked.toml"), smallConfig(RECORDED, { clients: 3, perRound: 1, rounds: 4 }));
const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);
const secret = ["--set", `server.token=${TOKEN}`];

/** A client of somebody else's making: it takes what it is assigned and says what the test tells it. */
class Attacker {
  readonly socket: Socket;
  readonly welcome: Promise<Welcome>;
  readonly #announced = new Map<string, { assign: Assign; chunks: Uint8Array[] }>();
  readonly #assigned: ((work: { assign: Assign; weights: Buffer }) => void)[] = [];

  constructor(url: string, auth: Record<string, unknown>) {
    this.socket = io(url, { transports: ["websocket"], forceNew: true, reconnection: false, auth });
    this.welcome = new Promise((resolve) => this.socket.once("welcome", resolve));
    this.socket.on("assign", (assign: Assign, reply) => {
      this.#announced.set(assign.transfer.id, { assign, chunks: [] });
      reply({ ok: true });
    });
    this.socket.on("chunk", ({ transfer }, data: Uint8Array, reply) => {
      this.#announced.get(transfer)!.chunks.push(data);
      reply({ ok: true });
    });
    this.socket.on("transfer_done", ({ transfer }, reply) => {
      const { assign, chunks } = this.#announced.get(transfer)!;
      reply({ ok: true });
      this.#assigned.shift()?.({ assign, weights: Buffer.concat(chunks) });
    });
  }

  /** The next assignment, with the global weights as they came. */
  work(): Promise<{ assign: Assign; weights: Buffer }> {
    return new Promise((resolve) => this.#assigned.push(resolve));
  }

  /** The code with which a message is refused; "taken" when it is not. */
  async tell(event: string, ...args: unknown[]): Promise<string> {
    const reply: Reply = await this.socket.timeout(20_000).emitWithAck(event, ...args);
    return reply.ok ? "taken" : reply.code;
  }
}

const attackers: Attacker[] = [];
const attack = (url: string, auth: Record<string, unknown> = {}) => {
  const attacker = new Attacker(url, { protocol: 1, token: TOKEN, process: 1, ...auth });
  attackers.push(attacker);
  return attacker;
};
afterEach(() => {
  for (const { socket } of attackers) socket.disconnect();
});

const reportOn = ({ round, client_id }: Assign, bytes: number, id: string) => ({
  round,
  client_id,
  num_samples: 64,
  train_loss: 0,
  training_time: 0,
  scalar: null,
  transfer: { id, bytes, chunks: Math.ceil(bytes / 2 ** 20), chunk_bytes: 2 ** 20 },
});

it("a client that lies, floods and repeats changes nothing but the server's counters", async () => {
  const server = startElenchus(
    ["server", "attacked.toml", ...secret, "--run-id", "attacked", "--set", "server.reconnect_grace=0.5"],
    folder,
  );
  await server.said(/listening on/);
  const url = /listening on (http:\S+),/.exec(server.stderr())![1]!;

  for (const auth of [
    { token: "guessed" },
    { protocol: 99 },
    { process: -1 },
    { session: "somebody-else" },
  ]) {
    const { socket } = attack(url, auth);
    await new Promise((resolve) => socket.once("connect_error", resolve));
  }

  const attacker = attack(url);
  const first = attacker.work();
  const limits = (await attacker.welcome).limits;
  const { assign, weights } = await first;
  // Now that the attacker has the first round's work, an honest client comes, and is idle.
  const honest = startElenchus(
    ["client", "attacked.toml", "--id", "2", "--server", url, ...secret, "--log", "debug"],
    folder,
  );
  await honest.said(/Connected to run/);

  // Garbage.
  expect(await attacker.tell("report", null)).toBe("malformed");
  expect(await attacker.tell("report", { ...reportOn(assign, 8, "x"), num_samples: "many" })).toBe(
    "malformed",
  );
  expect(await attacker.tell("chunk", { transfer: "x", index: 0 })).toBe("malformed");
  expect(await attacker.tell("__proto__", {})).toBe("malformed");
  expect(
    await attacker.tell("failed", { round: 1, client_id: 1, code: "A", message: "y".repeat(3000) }),
  ).toBe("malformed");
  attacker.socket.emit("progress", { round: 1, client_id: assign.client_id, done: -1, total: 0, loss: null });
  // Somebody else's work, another round's, a transfer that nobody announced.
  const other = (assign.client_id % 3) + 1;
  expect(await attacker.tell("report", { ...reportOn(assign, 8, "x"), client_id: other })).toBe("foreign");
  expect(await attacker.tell("report", { ...reportOn(assign, 8, "x"), round: 2 })).toBe("foreign");
  expect(await attacker.tell("chunk", { transfer: "x", index: 0 }, Buffer.alloc(8))).toBe("foreign");
  expect(await attacker.tell("transfer_done", { transfer: "x", sha256: "0".repeat(64) })).toBe("foreign");
  // A chunk twice, and then a payload whose SHA-256 is another one's.
  const lie = Buffer.from(weights).fill(0x41, weights.length / 2);
  expect(await attacker.tell("report", reportOn(assign, lie.length, "lie"))).toBe("taken");
  expect(await attacker.tell("chunk", { transfer: "lie", index: 0 }, lie)).toBe("taken");
  expect(await attacker.tell("chunk", { transfer: "lie", index: 0 }, lie)).toBe("duplicate");
  const digest = createHash("sha256").update(weights).digest("hex");
  const second = attacker.work();
  expect(await attacker.tell("transfer_done", { transfer: "lie", sha256: digest })).toBe("corrupt");
  // The same again, whole: the work is the honest client's by now.
  expect(await attacker.tell("report", reportOn(assign, weights.length, "again"))).toMatch(/foreign|late/);
  expect(await attacker.tell("transfer_done", { transfer: "lie", sha256: digest })).toBe("foreign");

  // Too much, in the second round: announced, and then sent.
  const { assign: next } = await second;
  expect(next.round).toBe(2);
  const third = attacker.work();
  const tooMuch = { id: "big", bytes: limits.payload_bytes + 1, chunk_bytes: limits.chunk_bytes };
  const chunks = Math.ceil(tooMuch.bytes / tooMuch.chunk_bytes);
  const oversized = { ...reportOn(next, 8, "big"), transfer: { ...tooMuch, chunks } };
  expect(await attacker.tell("report", oversized)).toBe("too_large");

  const { assign: last } = await third;
  expect(last.round).toBe(3);
  expect(await attacker.tell("report", reportOn(next, weights.length, "old"))).toMatch(/foreign|late/);
  const lost = new Promise((resolve) => attacker.socket.once("disconnect", resolve));
  attacker.socket.emit("chunk", { transfer: "big", index: 0 }, Buffer.alloc(2 * limits.chunk_bytes));
  await lost;

  const [served, trained] = await Promise.all([server.finished, honest.finished]);
  expect([served.status, trained.status], served.stderr).toEqual([0, 0]);
  for (const counted of ["wrong_token 1", "malformed", "foreign", "duplicate 1", "corrupt 1", "too_large"]) {
    expect(served.stderr).toContain(counted);
  }
  const alone = await elenchus(["run", "attacked.toml", "--run-id", "alone"], folder);
  expect(alone.status).toBe(0);
  expect(withoutTimes(csv("attacked"))).toEqual(withoutTimes(csv("alone")));
}, 120_000);
