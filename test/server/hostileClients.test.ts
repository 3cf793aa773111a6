import { afterEach, describe, expect, it } from "vitest";
import { algorithms } from "../../src/algorithms/index.js";
import { configOf, startFederation, type TestFederation, weightsOf } from "./support/federation.js";
import { type RawClient, rawClient, refusalOfConnection } from "./support/rawClient.js";

let federation: TestFederation | undefined;
const raw: RawClient[] = [];
const connect = (auth: Record<string, unknown> = {}) => {
  const client = rawClient(federation!.server.url, auth);
  raw.push(client);
  return client;
};
afterEach(async () => {
  for (const client of raw.splice(0)) client.close();
  await federation?.close();
  federation = undefined;
});

/** One client per round, one round. */
const one = configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 1 } });
/** Two members, two processes, one round. */
const two = configOf({ clients: { total_clients: 2, per_round: 2 }, trainer: { rounds: 1 } });

describe("a connection", () => {
  it.each([
    ["wrong_token", { token: "another" }],
    ["wrong_token", { token: "a-token-for-test" }],
    ["wrong_protocol", { protocol: 2 }],
    ["malformed", { process: 0 }],
    ["malformed", { token: 7 }],
    ["malformed", { extra: true }],
    ["wrong_session", { session: "none" }],
    ["foreign", { client_id: 1 }],
  ])("is refused as %s with %j", async (code, auth) => {
    federation = await startFederation(one);
    expect(await refusalOfConnection(connect(auth))).toMatchObject({ code, message: expect.any(String) });
    federation.server.stop("enough");
    expect((await federation.server.done).refused).toEqual({ [code]: 1 });
  });

  it("is refused when its number is taken, and when a fixed number is none of the run's", async () => {
    federation = await startFederation(configOf({ server: { disable_clients: true } }));
    await connect({ process: 2, client_id: 2 }).welcome;
    expect(await refusalOfConnection(connect({ process: 2, client_id: 2 }))).toMatchObject({ code: "taken" });
    expect(await refusalOfConnection(connect({ process: 7, client_id: 7 }))).toMatchObject({
      code: "foreign",
    });
    expect(await refusalOfConnection(connect({ process: 3, client_id: 4 }))).toMatchObject({
      code: "foreign",
    });
    expect(await refusalOfConnection(connect({ process: 3 }))).toMatchObject({ code: "foreign" });
  });

  it("cannot take a session of another process", async () => {
    federation = await startFederation(two);
    const { session } = await connect({ process: 1 }).welcome;
    expect(await refusalOfConnection(connect({ process: 2, session }))).toMatchObject({
      code: "wrong_session",
    });
  });

  it("may be one of two at once, not both", async () => {
    federation = await startFederation(two);
    const both = [connect({ process: 1 }), connect({ process: 1 })];
    await Promise.race(both.map(({ welcome }) => welcome));
    await federation.event("client_connected");
    const outcomes = await Promise.all(
      both.map(
        ({ socket }) =>
          new Promise((resolve) => {
            socket.once("connect_error", () => resolve("refused"));
            socket.once("disconnect", () => resolve("refused"));
            setTimeout(() => resolve(socket.connected ? "connected" : "refused"), 300);
          }),
      ),
    );
    expect(outcomes.sort()).toEqual(["connected", "refused"]);
  });
});

describe("an update", () => {
  it.each([
    ["corrupt", { sha256: "0".repeat(64) }],
    ["corrupt", { bytes: Buffer.from("no weights at all, but enough bytes") }],
    ["wrong_layout", { weights: weightsOf(1, 2, 3) }],
    ["not_finite", { weights: weightsOf(1, Number.NaN, 3, 4) }],
    ["not_finite", { weights: weightsOf(1, 2, Number.POSITIVE_INFINITY, 4) }],
    ["corrupt", { transfer: { bytes: 10_000 } }],
    ["too_large", { transfer: { bytes: 2 ** 40, chunks: 2 ** 20 } }],
    // Partitions have 60 rows: whoever has more would own the mean.
    ["out_of_range", { message: { num_samples: 61 } }],
    ["out_of_range", { message: { num_samples: 2 ** 60 } }],
    ["out_of_range", { message: { num_samples: 1.5 } }],
  ])("is refused as %s and never aggregated: %j", async (code, changed) => {
    federation = await startFederation(two);
    const bad = connect({ process: 1 });
    const good = connect({ process: 2 });
    const [badWork, goodWork] = await Promise.all([bad.assignment(), good.assignment()]);
    expect(await bad.report(badWork, changed)).toMatchObject({ ok: false, code });
    expect(await good.report(goodWork, { weights: weightsOf(5, 6, 7, 8) })).toEqual({ ok: true });
    // What another process could do better gets a second chance; the good client's is idle and takes it.
    const again =
      code === "corrupt" || code === "too_large" || code === "out_of_range"
        ? await Promise.race([bad.assignment(), good.assignment()])
        : null;
    if (again !== null) federation.server.stop("enough");
    const { refused } = await federation.server.done;
    expect(refused).toEqual({ [code]: 1 });
    if (again !== null) return;
    expect([...federation.checkpoints[0]!.weights.get("w")!.data]).toEqual([5, 6, 7, 8]);
  });

  it("of more samples than there can be names its client, and what may allow them", async () => {
    federation = await startFederation(one);
    const client = connect();
    const refused = await client.report(await client.assignment(), { message: { num_samples: 1e9 } });
    expect(refused).toMatchObject({
      message:
        "Client 1 says that it trained on 1000000000 samples; expected a whole number from 0 to 60, the most that data.sampler allows. Set server.max_samples where clients may have more.",
    });
    expect(await federation.event("client_failed")).toMatchObject({ client: 1, code: "PAYLOAD_INVALID" });
  });

  it("of as many samples as server.max_samples says is taken", async () => {
    federation = await startFederation(
      configOf({
        clients: { total_clients: 1, per_round: 1 },
        trainer: { rounds: 1 },
        server: { max_samples: 500 },
      }),
    );
    const client = connect();
    const work = await client.assignment();
    expect(await client.report(work, { message: { num_samples: 500 } })).toEqual({ ok: true });
  });

  it("whose finite numbers have no finite sum changes nothing, and the next round goes on", async () => {
    federation = await startFederation(
      configOf({ clients: { total_clients: 2, per_round: 2 }, trainer: { rounds: 2 } }),
    );
    const clients = [connect({ process: 1 }), connect({ process: 2 })];
    const largest = 3e38;
    for (const sent of [weightsOf(1, largest, 3, 4), weightsOf(5, 6, 7, 8)]) {
      const works = await Promise.all(clients.map((client) => client.assignment()));
      await Promise.all(clients.map((client, place) => client.report(works[place]!, { weights: sent })));
    }
    await federation.server.done;
    const [first, second] = federation.checkpoints;
    expect([...first!.weights.get("w")!.data]).toEqual([0, 0, 0, 0]);
    expect([...second!.weights.get("w")!.data]).toEqual([5, 6, 7, 8]);
    expect(federation.logs.filter((line) => line.includes("changes nothing"))).toEqual([
      expect.stringMatching(
        /^warn: Round 1 changes nothing: the aggregated array "w" is not finite.*clients 1, 2/,
      ),
    ]);
  });

  it("that would leave the algorithm's moments infinite changes nothing either", async () => {
    const config = configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 2 } });
    federation = await startFederation(config, { algorithm: await algorithms.lookup("fedadam")({}) });
    const client = connect();
    // Its square is beyond float32, where the step itself would be 0.
    for (const sent of [weightsOf(1e30, 0, 0, 0), weightsOf(1, 1, 1, 1)]) {
      await client.report(await client.assignment(), { weights: sent });
    }
    await federation.server.done;
    const [first, second] = federation.checkpoints;
    expect(first!.algorithm).toBeUndefined();
    expect([...second!.weights.get("w")!.data].every((value) => value > 0)).toBe(true);
    for (const { data } of second!.algorithm!.values()) {
      expect([...data].every((value) => Number.isFinite(value))).toBe(true);
    }
  });

  it("has its NaN zeroed where the configuration says so", async () => {
    federation = await startFederation(
      configOf({
        clients: { total_clients: 1, per_round: 1 },
        trainer: { rounds: 1 },
        server: { non_finite_updates: "zero" },
      }),
    );
    const client = connect();
    const work = await client.assignment();
    expect(await client.report(work, { weights: weightsOf(1, Number.NaN, 3, 4) })).toEqual({ ok: true });
    await federation.server.done;
    expect([...federation.checkpoints[0]!.weights.get("w")!.data]).toEqual([1, 0, 3, 4]);
    expect(federation.logs.some((line) => line.startsWith("warn: Client 1 sent weights"))).toBe(true);
  });

  it("counts once: a replay is a duplicate, in the next round late", async () => {
    federation = await startFederation(
      configOf({ clients: { total_clients: 2, per_round: 2 }, trainer: { rounds: 2 } }),
    );
    const first = connect({ process: 1 });
    const second = connect({ process: 2 });
    const [mine, other] = await Promise.all([first.assignment(), second.assignment()]);
    expect(await first.report(mine)).toEqual({ ok: true });
    expect(await first.report(mine, { weights: weightsOf(9, 9, 9, 9) })).toMatchObject({ code: "duplicate" });
    expect(await first.report(other)).toMatchObject({ code: "foreign" });
    expect(await second.report(other)).toEqual({ ok: true });
    await Promise.all([first.assignment(), second.assignment()]);
    expect([...federation.checkpoints[0]!.weights.get("w")!.data]).toEqual([1, 2, 3, 4]);
    expect(await first.report(mine)).toMatchObject({ code: "late" });
    expect(await first.report({ ...mine, round: 7 })).toMatchObject({ code: "foreign" });
    federation.server.stop("enough");
    expect((await federation.server.done).refused).toEqual({ duplicate: 1, foreign: 2, late: 1 });
  });

  it("is late once its member was withdrawn at the deadline", async () => {
    federation = await startFederation(
      configOf({
        clients: { total_clients: 2, per_round: 2 },
        trainer: { rounds: 2 },
        server: { round_deadline: 0.3 },
      }),
    );
    const slow = connect({ process: 1 });
    const quick = connect({ process: 2 });
    const [late, intime] = await Promise.all([slow.assignment(), quick.assignment()]);
    const withdrawn = new Promise((resolve) => slow.socket.once("withdraw", resolve));
    await quick.report(intime, { weights: weightsOf(5, 6, 7, 8) });
    expect(await withdrawn).toMatchObject({ round: 1, client_id: late.client_id });
    expect(await slow.report(late)).toMatchObject({ ok: false, code: "late" });
    await federation.event("row_recorded");
    expect([...federation.checkpoints[0]!.weights.get("w")!.data]).toEqual([5, 6, 7, 8]);
  });

  it("is not taken when its round closes while it travels", async () => {
    federation = await startFederation(
      configOf({
        clients: { total_clients: 2, per_round: 2 },
        trainer: { rounds: 1 },
        server: { round_deadline: 0.3 },
      }),
    );
    const slow = connect({ process: 1 });
    const quick = connect({ process: 2 });
    const [late, intime] = await Promise.all([slow.assignment(), quick.assignment()]);
    await quick.report(intime, { weights: weightsOf(5, 6, 7, 8) });
    const transfer = { id: "t", bytes: 10, chunks: 1, chunk_bytes: 10 };
    const { round, client_id } = late;
    const report = { round, client_id, num_samples: 1, train_loss: null, training_time: 0, scalar: null };
    expect(await slow.ask("report", { ...report, transfer })).toEqual({ ok: true });
    await federation.server.done;
    expect([...federation.checkpoints[0]!.weights.get("w")!.data]).toEqual([5, 6, 7, 8]);
  });

  it("that is announced anew takes the place of the one before", async () => {
    federation = await startFederation(one);
    const client = connect();
    const work = await client.assignment();
    const transfer = { id: "first", bytes: 10, chunks: 1, chunk_bytes: 10 };
    const { round, client_id } = work;
    const report = { round, client_id, num_samples: 1, train_loss: null, training_time: 0, scalar: null };
    expect(await client.ask("report", { ...report, transfer })).toEqual({ ok: true });
    expect(await client.report(work)).toEqual({ ok: true });
    expect((await federation.server.done).status).toBe("completed");
  });

  it("that stops in the middle expires, and its member fails", async () => {
    federation = await startFederation(
      configOf({
        clients: { total_clients: 1, per_round: 1 },
        trainer: { rounds: 1 },
        server: { payload_timeout: 0.3 },
      }),
    );
    const client = connect();
    const { round, client_id } = await client.assignment();
    const transfer = { id: "t", bytes: 10, chunks: 1, chunk_bytes: 10 };
    const report = { round, client_id, num_samples: 1, train_loss: null, training_time: 0, scalar: null };
    await client.ask("report", { ...report, transfer });
    const failed = await federation.event("client_failed");
    expect(failed).toMatchObject({ client: 1, code: "PAYLOAD_INVALID", retried: true });
  });
});

describe("garbage", () => {
  it("is refused, counted, and harms nothing", async () => {
    federation = await startFederation(one);
    const client = connect();
    const work = await client.assignment();
    const { round, client_id } = work;
    const malformed = { ok: false, code: "malformed" };
    expect(await client.ask("report", "text")).toMatchObject(malformed);
    expect(await client.ask("report", null)).toMatchObject(malformed);
    expect(await client.ask("report", { round, client_id, num_samples: -1 })).toMatchObject(malformed);
    expect(await client.ask("report")).toMatchObject(malformed);
    expect(await client.ask("chunk", { transfer: "t", index: 0 }, "no bytes")).toMatchObject(malformed);
    expect(await client.ask("chunk", { transfer: "../t", index: 0 }, Buffer.alloc(1))).toMatchObject(
      malformed,
    );
    expect(await client.ask("failed", { round: "1", client_id, code: "", message: "" })).toMatchObject(
      malformed,
    );
    expect(await client.ask("chunk", { transfer: "t", index: 0 }, Buffer.alloc(1))).toMatchObject({
      code: "foreign",
    });
    expect(await client.ask("transfer_done", { transfer: "t", sha256: "0".repeat(64) })).toMatchObject({
      code: "foreign",
    });
    expect(await client.ask("leave", { reason: "x".repeat(2 * 1024 ** 2 - 1024 ** 2) })).toMatchObject({
      code: "too_large",
    });
    expect(
      await client.ask("failed", { round: 9, client_id, code: "TRAINING_FAILED", message: "" }),
    ).toMatchObject({ code: "foreign" });
    client.socket.emit("no_such_event", { a: 1 });
    client.socket.emit("progress", { round, client_id: 5, done: 1, total: 2, loss: null });
    client.socket.emit("progress", { round, client_id, done: 1, total: 2, loss: 0.25 });
    await federation.event("progress");
    expect(await client.report(work)).toEqual({ ok: true });
    const { status, refused } = await federation.server.done;
    expect(status).toBe("completed");
    expect(refused).toEqual({ malformed: 8, foreign: 4, too_large: 1 });
    expect(federation.logs.some((line) => line.includes("malformed 8"))).toBe(true);
  });

  it("larger than a packet may be costs its sender the connection, nobody else", async () => {
    federation = await startFederation(two);
    const bad = connect({ process: 1 });
    const good = connect({ process: 2 });
    await Promise.all([bad.assignment(), good.assignment()]);
    const lost = new Promise((resolve) => bad.socket.once("disconnect", resolve));
    bad.socket.emit("report", Buffer.alloc(3 * 1024 ** 2));
    await lost;
    expect(good.socket.connected).toBe(true);
    expect((await federation.event("client_disconnected")).process).toBe(1);
  });
});

describe("a client that fails", () => {
  it("has its work done by an idle process", async () => {
    federation = await startFederation(
      configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 1 } }),
    );
    const first = connect({ process: 1 });
    const { round, client_id } = await first.assignment();
    const second = connect({ process: 2 });
    await second.welcome;
    const failed = { round, client_id, code: "TRAINING_FAILED", message: "out of memory" };
    expect(await first.ask("failed", failed)).toEqual({ ok: true });
    expect(await federation.event("client_failed")).toMatchObject({
      retried: true,
      message: "out of memory",
    });
    const again = await second.assignment();
    expect(again).toMatchObject({ round, client_id });
    expect(await first.report(again)).toMatchObject({ code: "foreign" });
    expect(await second.report(again)).toEqual({ ok: true });
    expect((await federation.server.done).status).toBe("completed");
  });

  it("stops the run with general.debug", async () => {
    federation = await startFederation(
      configOf({ clients: { total_clients: 1, per_round: 1 }, general: { debug: true } }),
    );
    const client = connect();
    const { round, client_id } = await client.assignment();
    await client.ask("failed", { round, client_id, code: "DATA_INVALID", message: "no rows" });
    const { status, error } = await federation.server.done;
    expect(status).toBe("failed");
    expect(error).toMatchObject({ code: "CLIENT_FAILED", details: { client: 1, code: "DATA_INVALID" } });
    expect(error!.message).toContain(
      "Client 1 failed in round 1 [DATA_INVALID]: no rows. With general.debug",
    );
  });

  it("is given up after its second failure, and the run ends without its quorum", async () => {
    federation = await startFederation(one);
    const client = connect();
    for (let attempt = 0; attempt < 2; attempt++) {
      const { round, client_id } = await client.assignment();
      await client.ask("failed", { round, client_id, code: "TRAINING_FAILED", message: "NaN" });
    }
    const { status, error, rounds } = await federation.server.done;
    expect({ status, rounds, code: error?.code }).toEqual({
      status: "failed",
      rounds: 0,
      code: "QUORUM_MISSED",
    });
    expect(await federation.event("given_up")).toMatchObject({
      client: 1,
      reason: "[TRAINING_FAILED] NaN",
    });
    // One line for each failure, with its cause.
    expect(federation.logs.filter((line) => line.includes("NaN"))).toEqual([
      "warn: Client 1 failed in round 1, its work goes to an idle process: [TRAINING_FAILED] NaN.",
      "warn: Client 1 is given up in round 1: [TRAINING_FAILED] NaN.",
    ]);
  });

  it("by refusing its work gives it to the next", async () => {
    federation = await startFederation(one);
    const client = connect();
    client.socket.removeAllListeners("assign");
    client.socket.on("assign", (_assign, reply) =>
      reply({ ok: false, code: "too_large", message: "no room" }),
    );
    expect(await federation.event("client_failed")).toMatchObject({
      code: "PROTOCOL_VIOLATION",
      retried: true,
    });
  });

  it("by refusing the weights gives its work to the next", async () => {
    federation = await startFederation(one);
    const client = connect();
    client.socket.removeAllListeners("chunk");
    client.socket.on("chunk", (_header, _data, reply) =>
      reply({ ok: false, code: "corrupt", message: "not what was announced" }),
    );
    expect(await federation.event("client_failed")).toMatchObject({ code: "PAYLOAD_INVALID", retried: true });
  });

  it("by not answering is disconnected", async () => {
    federation = await startFederation(
      configOf({ clients: { total_clients: 1, per_round: 1 }, server: { payload_timeout: 0.3 } }),
    );
    const client = connect();
    client.socket.removeAllListeners("assign");
    const lost = new Promise((resolve) => client.socket.once("disconnect", resolve));
    expect(await lost).toBe("io server disconnect");
    expect(await federation.event("client_failed")).toMatchObject({ code: "CONNECTION_LOST" });
  });
});
