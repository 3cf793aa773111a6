import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import { type Ask, announce, askOf, preparePayload, request, sendPayload } from "../../src/protocol/index.js";
import { smallLimits, someBytes } from "./limits.js";
import { TO_SERVER_EXAMPLES } from "./messages.js";
import { startSocketServer, type TestClient, type TestServerSocket } from "./sockets.js";

describe("asking over a socket", () => {
  let server: Awaited<ReturnType<typeof startSocketServer>>;
  let client: TestClient;
  let socket: TestServerSocket;

  beforeEach(async () => {
    server = await startSocketServer(smallLimits());
    ({ client, socket } = await server.pair());
  });
  afterEach(() => server.close());

  const ask = (milliseconds = 5000) =>
    request(askOf(client), "failed", TO_SERVER_EXAMPLES.failed, { milliseconds });

  it("resolves to the reply", async () => {
    socket.on("failed", (message, reply) =>
      reply({ ok: false, code: "late", message: `${message.code} came late` }),
    );
    expect(await ask()).toEqual({ ok: false, code: "late", message: "TRAINING_FAILED came late" });
  });

  it.each([
    [undefined],
    ["ok"],
    [{ ok: "yes" }],
    [{ ok: false }],
    [{ ok: false, code: "nonsense", message: "" }],
  ])("refuses %j as a reply", async (answer) => {
    socket.on("failed", (_, reply) => (reply as (answer: unknown) => void)(answer));
    await expect(ask()).rejects.toMatchObject({ code: "PROTOCOL_VIOLATION" });
  });

  it("waits no longer than it was told", async () => {
    await expect(ask(30)).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
  });

  it("may wait longer than a timer can count", async () => {
    socket.on("failed", (_, reply) => reply({ ok: true }));
    expect(await ask(1e12)).toEqual({ ok: true });
  });

  it("ends when the connection does, and asks nothing without one", async () => {
    socket.on("failed", () => socket.disconnect(true));
    await expect(ask()).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    await expect(ask()).rejects.toMatchObject({ code: "CONNECTION_LOST" });
  });

  it("ends at a server's end too when the connection does, and leaves nothing behind", async () => {
    const question = request(askOf(socket), "withdraw", {}, { milliseconds: 1e9 });
    const before = socket.listenerCount("disconnect");
    client.disconnect();
    await expect(question).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    expect(socket.listenerCount("disconnect")).toBe(before - 1);
  });
});

describe("sending a payload", () => {
  const limits = smallLimits();
  const payload = preparePayload([someBytes(5000)], limits);
  const never: Ask = () => new Promise(() => {});

  it("throws the reason it was stopped for, while waiting and before", async () => {
    const reason = new ElenchusError("INTERRUPTED", "stop");
    const abort = new AbortController();
    const sending = sendPayload(never, payload, announce(payload), { limits, signal: abort.signal });
    abort.abort(reason);
    await expect(sending).rejects.toBe(reason);
    const again = sendPayload(never, payload, announce(payload), { limits, signal: abort.signal });
    await expect(again).rejects.toBe(reason);
  });

  it("throws the first failure of a chunk and sends no more", async () => {
    let asked = 0;
    const failing: Ask = async () => {
      asked++;
      if (asked > 1) throw new Error("later");
      throw new ElenchusError("CONNECTION_LOST", "first");
    };
    const sending = sendPayload(failing, payload, announce(payload), { limits: { ...limits, window: 1 } });
    await expect(sending).rejects.toThrow("first");
    expect(asked).toBe(1);
  });

  it("gives every question only the time that is left", async () => {
    const given: number[] = [];
    const slow: Ask = async (_, __, milliseconds) => {
      given.push(milliseconds);
      await new Promise((settle) => setTimeout(settle, 5));
      return { ok: true };
    };
    await sendPayload(slow, payload, announce(payload), { limits: { window: 1, payload_seconds: 0.012 } });
    expect(given[0]).toBeLessThanOrEqual(12);
    expect(given.at(-1)).toBe(1);
  });
});
