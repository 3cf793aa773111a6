import { describe, expect, it } from "vitest";
import {
  clientSocketOptions,
  createRefusalCounter,
  limitsOf,
  PROTOCOL_VERSION,
  REFUSAL_CODES,
  REFUSALS,
  refuse,
  replySchema,
  serverSocketOptions,
} from "../../src/protocol/index.js";

const settings = {
  max_report_bytes: 1,
  max_chunk_bytes: 2,
  max_payload_bytes: 3,
  max_payload_chunks: 4,
  max_buffered_bytes: 5,
  payload_timeout: 6,
};

describe("limits", () => {
  it("come from the server's table", () => {
    expect(limitsOf(settings)).toEqual({
      chunk_bytes: 2,
      window: 8,
      payload_bytes: 3,
      payload_chunks: 4,
      report_bytes: 1,
      buffered_bytes: 5,
      payload_seconds: 6,
    });
  });

  it("are what both ends of a socket take, with room for the names around", () => {
    const limits = limitsOf({ ...settings, max_chunk_bytes: 1000, max_report_bytes: 500 });
    const server = serverSocketOptions(limits, { ping_interval: 25, ping_timeout: 60 });
    expect(server).toMatchObject({
      transports: ["websocket"],
      maxHttpBufferSize: 1000 + 65_536,
      perMessageDeflate: false,
      pingInterval: 25_000,
      pingTimeout: 60_000,
    });
    expect(server).not.toHaveProperty("connectionStateRecovery");
    const handshake = { protocol: PROTOCOL_VERSION, token: "t", process: 1 };
    const client = clientSocketOptions(() => handshake, limits);
    expect(client.transports).toHaveLength(1);
    expect(client).toMatchObject({
      maxPayload: 1000 + 65_536,
      perMessageDeflate: false,
      forceNew: true,
      reconnectionDelay: 100,
      reconnectionDelayMax: 2000,
    });
  });
});

describe("refusals", () => {
  it("all say what they mean", () => {
    expect(REFUSAL_CODES).toEqual(Object.keys(REFUSALS));
    for (const code of REFUSAL_CODES) expect(REFUSALS[code]).toMatch(/^[A-Z].*\.$/);
  });

  it("are replies, however long their message", () => {
    for (const code of REFUSAL_CODES) {
      const reply = refuse(code, "x".repeat(10_000));
      expect(replySchema.parse(reply)).toEqual(reply);
    }
  });

  it("are counted by code", () => {
    const counter = createRefusalCounter();
    for (const code of ["late", "late", "busy"] as const) counter.count(code);
    expect(counter.total).toBe(3);
    expect([...counter.byCode()]).toEqual([
      ["late", 2],
      ["busy", 1],
    ]);
    expect(`${counter}`).toBe("late 2, busy 1");
  });
});
