import { afterEach, describe, expect, it } from "vitest";
import { type CuttableProxy, startProxy } from "./support/cuttableProxy.js";
import {
  addsItsNumber,
  configOf,
  type FakeTraining,
  fakeHost,
  startFederation,
  type TestFederation,
} from "./support/federation.js";
import { type RawClient, rawClient } from "./support/rawClient.js";

let federation: TestFederation | undefined;
let proxy: CuttableProxy | undefined;
const raw: RawClient[] = [];
const connect = (auth: Record<string, unknown> = {}) => {
  const client = rawClient(federation!.server.url, auth);
  raw.push(client);
  return client;
};
afterEach(async () => {
  for (const client of raw.splice(0)) client.close();
  proxy?.close();
  await federation?.close();
  federation = undefined;
});

const one = configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 1 } });
const loseTransport = (client: RawClient) => client.socket.io.engine.close();

/** Training that waits until the test lets it go on. */
function gatedTraining(): FakeTraining & { readonly started: Promise<void>; release(): void } {
  let release = () => {};
  let start = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  return {
    started,
    release: () => release(),
    async train(task) {
      start();
      await gate;
      return addsItsNumber(task);
    },
  };
}

describe("a client whose connection is lost", () => {
  it("resumes its identity and its work with its session", async () => {
    federation = await startFederation(one);
    const before = connect();
    const { session } = await before.welcome;
    const work = await before.assignment();
    loseTransport(before);
    await federation.event("client_disconnected");
    const after = connect({ session });
    expect((await after.welcome).session).toBe(session);
    expect(await after.assignment()).toMatchObject({ round: work.round, client_id: work.client_id });
    expect(await after.report(work)).toEqual({ ok: true });
    expect((await federation.server.done).status).toBe("completed");
    expect(federation.events.some(({ kind }) => kind === "client_failed")).toBe(false);
  });

  it("may come back before the server has noticed", async () => {
    federation = await startFederation(one);
    const before = connect();
    const { session } = await before.welcome;
    const work = await before.assignment();
    const dropped = new Promise((resolve) => before.socket.once("disconnect", resolve));
    const after = connect({ session });
    await dropped;
    await after.assignment();
    expect(await after.report(work)).toEqual({ ok: true });
    expect((await federation.server.done).status).toBe("completed");
  });

  it("is gone when its grace is over, and its work goes on elsewhere", async () => {
    federation = await startFederation(
      configOf({
        clients: { total_clients: 1, per_round: 1 },
        trainer: { rounds: 1 },
        server: { reconnect_grace: 0.1 },
      }),
    );
    const first = connect({ process: 1 });
    await first.assignment();
    const second = connect({ process: 2 });
    await second.welcome;
    loseTransport(first);
    const work = await second.assignment();
    expect(await federation.event("client_failed")).toMatchObject({ code: "CONNECTION_LOST", retried: true });
    expect(await second.report(work)).toEqual({ ok: true });
    expect((await federation.server.done).status).toBe("completed");
  });

  it("that starts again under its number does not wait for its grace", async () => {
    federation = await startFederation(one);
    const first = connect();
    await first.assignment();
    loseTransport(first);
    await federation.event("client_disconnected");
    const again = connect();
    const work = await again.assignment();
    expect(await again.report(work)).toEqual({ ok: true });
    const failed = await federation.event("client_failed");
    expect(failed.message).toContain("started again");
  });

  it("leaves at once when it says so", async () => {
    federation = await startFederation(one);
    const first = connect({ process: 1 });
    await first.assignment();
    const second = connect({ process: 2 });
    await second.welcome;
    expect(await first.ask("leave", { reason: "maintenance" }).catch(() => "gone")).toBe("gone");
    const work = await second.assignment();
    expect(await second.report(work)).toEqual({ ok: true });
    expect((await federation.event("client_failed")).message).toContain("maintenance");
  });

  it("delivers what it trained meanwhile", async () => {
    federation = await startFederation(one);
    proxy = await startProxy(federation.server.url);
    const training = gatedTraining();
    const client = federation.client(1, training, { url: proxy.url });
    await training.started;
    proxy.cut();
    await federation.event("client_disconnected");
    training.release();
    expect((await federation.server.done).status).toBe("completed");
    expect(await client.done).toMatchObject({ status: "completed", trained: 1 });
    expect(federation.events.some(({ kind }) => kind === "client_failed")).toBe(false);
  });

  it("goes on with training that is not finished when it is back", async () => {
    federation = await startFederation(one);
    proxy = await startProxy(federation.server.url);
    const training = gatedTraining();
    const client = federation.client(1, training, { url: proxy.url });
    await training.started;
    proxy.cut();
    await federation.event("client_connected", ({ resumed }) => resumed);
    training.release();
    expect((await federation.server.done).status).toBe("completed");
    expect(await client.done).toMatchObject({ trained: 1 });
    expect(federation.events.some(({ kind }) => kind === "client_failed")).toBe(false);
  });

  it.each([200, 3000, 300_000, 2_000_000])(
    "sends its update again when it is cut after %i bytes",
    async (bytes) => {
      const size = 1_000_000;
      federation = await startFederation(one, { training: { size } });
      proxy = await startProxy(federation.server.url);
      const cuttable = proxy;
      const training: FakeTraining = {
        size,
        train(task) {
          cuttable.cutAfterBytes = bytes;
          return addsItsNumber(task);
        },
      };
      federation.client(1, training, { url: proxy.url });
      expect((await federation.server.done).status).toBe("completed");
      expect(proxy.connections).toBe(2);
      const { data } = federation.checkpoints[0]!.weights.get("w")!;
      expect(data.length).toBe(size);
      expect(data.every((value) => value === 1 / 8 + 1 / 64)).toBe(true);
    },
  );

  it("gets its weights again when it was cut while they came", async () => {
    federation = await startFederation(one, { training: { size: 3_000_000 } });
    proxy = await startProxy(federation.server.url);
    const through = proxy;
    const client = federation.client(1, { size: 3_000_000 }, { url: proxy.url });
    await federation.event("assigned");
    setTimeout(() => through.cut(), 10);
    expect((await federation.server.done).status).toBe("completed");
    expect(await client.done).toMatchObject({ trained: 1 });
  });
});

describe("a client", () => {
  it("may start before the server", async () => {
    const config = configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 1 } });
    const placeholder = await startFederation(config);
    const { port } = new URL(placeholder.server.url);
    const early = placeholder.client(1);
    await placeholder.server.done;
    await early.done;
    await placeholder.close();
    // The port is free again; the client begins while nobody listens.
    const again = configOf({
      clients: { total_clients: 1, per_round: 1 },
      trainer: { rounds: 1 },
      server: { port: Number(port) },
    });
    const { startClient } = await import("../../src/client/index.js");
    const { systemClock, silentLogger } = await import("../../src/base/index.js");
    const { TOKEN } = await import("./support/federation.js");
    const waiting = startClient({
      config: again,
      url: placeholder.server.url,
      token: TOKEN,
      processId: 1,
      host: fakeHost(),
      logger: silentLogger,
      clock: systemClock,
      stateStoreOf: () => ({ load: async () => new Map(), save: async () => {} }),
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    federation = await startFederation(again);
    expect((await federation.server.done).status).toBe("completed");
    expect((await waiting.done).status).toBe("completed");
  });

  it("goes on with a server that was stopped in the middle and resumed", async () => {
    const config = configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 4 } });
    const first = await startFederation(config);
    proxy = await startProxy(first.server.url);
    const through = proxy;
    const training: FakeTraining = {
      async train(task, signal) {
        if (task.round === 3) {
          // The server dies: the way to it is cut, and it says no farewell.
          through.closed = true;
          through.cut();
          await new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          );
        }
        return addsItsNumber(task);
      },
    };
    const client = first.client(1, training, { url: proxy.url });
    await first.event("client_disconnected");
    first.server.stop("killed");
    await first.server.done;
    const resume = first.checkpoints.at(-1)!;
    expect(resume.round).toBe(2);
    const { port } = new URL(first.server.url);
    federation = await startFederation(
      configOf({
        clients: { total_clients: 1, per_round: 1 },
        trainer: { rounds: 4 },
        server: { port: Number(port) },
      }),
      { resume, folder: first.folder },
    );
    const fresh: FakeTraining = training;
    fresh.train = addsItsNumber;
    through.closed = false;
    expect((await federation.server.done).rounds).toBe(4);
    expect((await client.done).status).toBe("completed");
    // Four visits of client 1: 4/8 + (1 + 2 + 3 + 4)/64, all exact.
    expect(federation.checkpoints.at(-1)!.weights.get("w")!.data[0]).toBe(4 / 8 + 10 / 64);
  });

  it("that is slow is withdrawn at the deadline and takes part in the next round", async () => {
    const config = configOf({
      clients: { total_clients: 2, per_round: 2 },
      trainer: { rounds: 2 },
      server: { round_deadline: 1.5 },
    });
    federation = await startFederation(config);
    let aborted = 0;
    const slowOnce: FakeTraining = {
      train: ({ round, ...task }, signal) =>
        round > 1
          ? addsItsNumber({ round, ...task })
          : new Promise((_, reject) =>
              signal.addEventListener("abort", () => {
                aborted++;
                reject(new Error("aborted"));
              }),
            ),
    };
    const slow = federation.client(1, slowOnce);
    federation.client(2);
    expect((await federation.server.done).status).toBe("completed");
    expect(aborted).toBe(1);
    expect((await slow.done).trained).toBe(1);
    expect(federation.events.filter(({ kind }) => kind === "given_up")).toHaveLength(1);
  });

  it("that fails is helped out by another, and left out when it fails again", async () => {
    const failing: FakeTraining = {
      train(task) {
        if (task.clientId === 1) throw new Error("no rows");
        return addsItsNumber(task);
      },
    };
    const config = configOf({ clients: { total_clients: 2, per_round: 2 }, trainer: { rounds: 1 } });
    federation = await startFederation(config);
    federation.client(1, failing);
    federation.client(2, failing);
    expect((await federation.server.done).status).toBe("completed");
    const failures = federation.events.filter(({ kind }) => kind === "client_failed");
    expect(failures).toMatchObject([
      { client: 1, code: "TRAINING_FAILED", message: "no rows", retried: true },
      { client: 1, retried: false },
    ]);
    // Client 2 alone.
    expect(federation.checkpoints[0]!.weights.get("w")!.data[0]).toBe(2 / 8 + 1 / 64);
  });

  it("whose weights are not finite is left out at once", async () => {
    const poison: FakeTraining = {
      train(task) {
        const outcome = addsItsNumber(task);
        if (task.clientId === 1) (outcome.weights.get("w")!.data as Float32Array)[2] = Number.NaN;
        return { ...outcome, trainLoss: Number.NaN };
      },
    };
    const config = configOf({ clients: { total_clients: 2, per_round: 2 }, trainer: { rounds: 1 } });
    federation = await startFederation(config);
    federation.client(1, poison);
    federation.client(2, poison);
    expect((await federation.server.done).refused).toEqual({ not_finite: 1 });
    expect(federation.logs.find((line) => line.includes("WEIGHTS_INVALID"))).toContain('array "w"');
    expect(federation.rows[0]!.items.train_loss).toBeNull();
  });

  it("is refused with a wrong token", async () => {
    federation = await startFederation(one);
    const client = federation.client(1, {}, { token: "wrong" });
    await expect(client.done).rejects.toMatchObject({
      code: "CONNECTION_REFUSED",
      exitCode: 1,
      details: { refusal: "wrong_token" },
    });
  });

  it("gives up when no server answers in time", async () => {
    federation = await startFederation(one);
    const client = federation.client(1, {}, { url: "http://127.0.0.1:1", connectSeconds: 0.3 });
    await expect(client.done).rejects.toMatchObject({
      code: "CONNECTION_LOST",
      message: expect.stringMatching(
        / for 0\.3 s: connect ECONNREFUSED 127\.0\.0\.1:1\. Check that it runs /,
      ),
    });
  });

  it("stops when its signal says so", async () => {
    federation = await startFederation(one);
    const stop = new AbortController();
    const training = gatedTraining();
    const client = federation.client(1, training, { signal: stop.signal });
    await training.started;
    stop.abort();
    training.release();
    expect(await client.done).toMatchObject({ status: "interrupted", runId: "test-run", lastRow: null });
    const early = federation.client(2, {}, { signal: AbortSignal.abort() });
    expect(await early.done).toMatchObject({ status: "interrupted", runId: null, rounds: 0, trained: 0 });
  });

  it("works for fixed identities as itself", async () => {
    const config = configOf({
      clients: { total_clients: 5, per_round: 2 },
      server: { disable_clients: true },
      trainer: { rounds: 2 },
    });
    federation = await startFederation(config);
    federation.client(3);
    federation.client(5);
    expect((await federation.server.done).status).toBe("completed");
    const assigned = federation.events.filter((event) => event.kind === "assigned");
    expect(assigned.map(({ client, process }) => [client, process]).sort()).toEqual([
      [3, 3],
      [3, 3],
      [5, 5],
      [5, 5],
    ]);
  });
});

describe("the server's deadlines", () => {
  it("begins with those that are there at the connect deadline", async () => {
    federation = await startFederation(
      configOf({ server: { connect_deadline: 0.2 }, trainer: { rounds: 1 } }),
    );
    federation.client(1);
    expect((await federation.server.done).status).toBe("completed");
  });

  it("fails when fewer than the quorum are there at the connect deadline", async () => {
    federation = await startFederation(configOf({ server: { connect_deadline: 0.1 } }));
    const { status, error } = await federation.server.done;
    expect({ status, code: error?.code, exit: error?.exitCode }).toEqual({
      status: "failed",
      code: "QUORUM_MISSED",
      exit: 1,
    });
  });

  it("fails on a port that is taken", async () => {
    federation = await startFederation(one);
    const { port } = new URL(federation.server.url);
    const config = configOf({ server: { port: Number(port) } });
    await expect(startFederation(config)).rejects.toMatchObject({
      code: "PORT_UNAVAILABLE",
      exitCode: 2,
      message: expect.stringMatching(/EADDRINUSE[^.]*(\.\d+){3}:\d+\. Choose another server\.port, or 0/),
    });
  });

  it("names server.address when that is at fault", async () => {
    // An address kept for documentation, of no machine.
    const config = configOf({ server: { address: "192.0.2.1" } });
    await expect(startFederation(config)).rejects.toMatchObject({
      code: "PORT_UNAVAILABLE",
      message: expect.stringMatching(
        /EADDRNOTAVAIL[^.]*(\.\d+){3}\. Set server\.address to [^\n]*all of them\.$/,
      ),
    });
  });

  it("fails for a reason from outside", async () => {
    federation = await startFederation(one);
    const { ElenchusError } = await import("../../src/base/index.js");
    federation.server.fail(new ElenchusError("CLIENT_FAILED", "Every client process is dead."));
    expect((await federation.server.done).error).toMatchObject({ code: "CLIENT_FAILED" });
  });
});
