import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ConnectionRefusal,
  type ConnectRefusal,
  PROTOCOL_VERSION,
  readHandshake,
  refusalOf,
} from "../../src/protocol/index.js";
import { smallLimits } from "./limits.js";
import { startSocketServer } from "./sockets.js";

const sound = { protocol: PROTOCOL_VERSION, token: "secret", process: 3 };

describe("the handshake", () => {
  let server: Awaited<ReturnType<typeof startSocketServer>>;

  beforeEach(async () => {
    server = await startSocketServer(smallLimits());
    server.server.use((socket, next) => {
      try {
        const handshake = readHandshake(socket.handshake.auth, "secret");
        socket.data.session = handshake.session ?? "new";
        socket.data.process = handshake.process;
        next();
      } catch (error) {
        next(error as ConnectionRefusal);
      }
    });
  });
  afterEach(() => server.close());

  const refusal = async (handshake: Record<string, unknown>): Promise<ConnectRefusal | undefined> => {
    const client = server.client(handshake);
    const answer = new Promise<Error>((settle, reject) => {
      client.once("connect_error", settle);
      client.once("connect", () => reject(new Error("connected")));
    });
    client.connect();
    return refusalOf(await answer);
  };

  it("lets a client with the run's token in", async () => {
    const { socket } = await server.pair();
    expect(socket.data).toEqual({ session: "new", process: 1 });
  });

  it("is read with what a returning client adds", () => {
    const returning = { ...sound, session: "s1", client_id: 7 };
    expect(readHandshake(returning, "secret")).toEqual(returning);
  });

  it.each([
    ["another token", { token: "guess" }, "wrong_token", /server.token/],
    ["a token that begins like the run's", { token: "secret2" }, "wrong_token", /server.token/],
    ["no token", { token: undefined }, "malformed", /token/],
    ["an older protocol", { protocol: 0 }, "wrong_protocol", /protocol 0, the server 1/],
    ["no protocol", { protocol: undefined }, "malformed", /protocol/],
    ["a process that is no number", { process: "3" }, "malformed", /process/],
    ["a session that is a path", { session: "../../etc" }, "malformed", /session/],
    ["something that no handshake has", { admin: true }, "malformed", /top/],
  ])("is refused with %s, and the client learns why", async (_, change, code, message) => {
    expect(await refusal(change as Record<string, unknown>)).toEqual({
      code,
      message: expect.stringMatching(message),
    });
  });

  it.each([undefined, null, 1, "secret", []])("is refused when it is %j", (auth) => {
    expect(() => readHandshake(auth, "secret")).toThrow(ConnectionRefusal);
  });

  it("never repeats a token", () => {
    for (const token of ["guess-me-not", "x".repeat(600)]) {
      try {
        readHandshake({ ...sound, token }, "secret");
        expect.fail("not refused");
      } catch (error) {
        expect((error as Error).message).not.toContain(token);
        expect((error as Error).message).not.toContain("secret ");
      }
    }
  });

  it("is refused with a reason that fits into a message, however long the mistake", async () => {
    const reason = await refusal({ ["x".repeat(5000)]: 1 } as Record<string, unknown>);
    expect(reason).toMatchObject({ code: "malformed", message: expect.stringMatching(/^.{2000}$/) });
  });

  it("tells a refusal from any other error", () => {
    expect(refusalOf(new Error("xhr poll error"))).toBeUndefined();
    expect(
      refusalOf(Object.assign(new Error("x"), { data: { code: "nonsense", message: "" } })),
    ).toBeUndefined();
    expect(refusalOf(new ConnectionRefusal("taken", "Process 3 is connected."))).toEqual({
      code: "taken",
      message: "Process 3 is connected.",
    });
  });
});
