import { beforeEach, describe, expect, it } from "vitest";
import {
  type Handlers,
  type ListeningSocket,
  openDoor,
  TO_CLIENT,
  TO_SERVER,
} from "../../src/protocol/index.js";
import { smallLimits } from "./limits.js";
import { TO_CLIENT_EXAMPLES, TO_SERVER_EXAMPLES } from "./messages.js";
import { startSocketServer } from "./sockets.js";
import { type DoorHooks, doorSuite, type OpenedDoor } from "./suites/door.js";

type Schemas = typeof TO_SERVER | typeof TO_CLIENT;

function openHooked(socket: ListeningSocket, schemas: Schemas, hooks: DoorHooks, reportBytes = 4096): void {
  const handlers = Object.fromEntries(
    Object.keys(schemas).map((event) => [
      event,
      (message: unknown, data?: Uint8Array) => hooks.onMessage(event, message, data),
    ]),
  ) as unknown as Handlers<Schemas>;
  openDoor(socket, schemas, handlers, {
    reportBytes,
    onRefused: (event, code) => hooks.onRefused(event, code),
    onError: (error) => hooks.onError(error),
  });
}

/** A socket that delivers arguments as they are. */
function memoryDoor(schemas: Schemas, reportBytes?: number) {
  return async (hooks: DoorHooks): Promise<OpenedDoor> => {
    let deliver: (event: string, ...args: unknown[]) => void = () => {};
    openHooked({ onAny: (listener) => (deliver = listener) }, schemas, hooks, reportBytes);
    return {
      ask: (event, args) => new Promise((settle) => deliver(event, ...args, settle)),
      tell: (event, args) => deliver(event, ...args),
      close: async () => {},
    };
  };
}

interface Untyped {
  emit(event: string, ...args: unknown[]): void;
  timeout(milliseconds: number): { emitWithAck(event: string, ...args: unknown[]): Promise<unknown> };
}

/** A real socket; the door is the server's or the client's. */
function socketDoor(end: "server" | "client") {
  return async (hooks: DoorHooks): Promise<OpenedDoor> => {
    const server = await startSocketServer(smallLimits());
    const { client, socket } = await server.pair();
    if (end === "server") openHooked(socket, TO_SERVER, hooks);
    else openHooked(client, TO_CLIENT, hooks);
    const peer = (end === "server" ? client : socket) as unknown as Untyped;
    return {
      ask: (event, args) => peer.timeout(5000).emitWithAck(event, ...args),
      tell: (event, args) => peer.emit(event, ...args),
      close: () => server.close(),
    };
  };
}

doorSuite("of a server, in memory", {
  schemas: TO_SERVER,
  examples: TO_SERVER_EXAMPLES,
  open: memoryDoor(TO_SERVER),
});
doorSuite("of a client, in memory", {
  schemas: TO_CLIENT,
  examples: TO_CLIENT_EXAMPLES,
  open: memoryDoor(TO_CLIENT),
});
doorSuite("of a server, over a socket", {
  schemas: TO_SERVER,
  examples: TO_SERVER_EXAMPLES,
  open: socketDoor("server"),
});
doorSuite("of a client, over a socket", {
  schemas: TO_CLIENT,
  examples: TO_CLIENT_EXAMPLES,
  open: socketDoor("client"),
});

describe("a door", () => {
  let codes: string[];
  let errors: unknown[];
  beforeEach(() => {
    codes = [];
    errors = [];
  });
  const hooks = (): DoorHooks => ({
    onMessage: () => undefined,
    onRefused: (_, code) => codes.push(code),
    onError: (error) => errors.push(error),
  });

  it("refuses a message that is longer than announced", async () => {
    const door = await memoryDoor(TO_SERVER, 100)(hooks());
    expect(await door.ask("leave", [{ reason: "x".repeat(87) }])).toEqual({ ok: true });
    expect(await door.ask("leave", [{ reason: "x".repeat(88) }])).toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/101 bytes; at most 100/),
    });
    expect(codes).toEqual(["too_large"]);
  });

  it("refuses what is nested deeper than it could be written as JSON", async () => {
    const door = await memoryDoor(TO_SERVER, 2 ** 30)(hooks());
    const depth = 300_000;
    const nested = JSON.parse("[".repeat(depth) + "]".repeat(depth));
    expect(await door.ask("leave", [nested])).toMatchObject({ ok: false, code: "malformed" });
    expect(await door.ask("leave", [{ reason: nested }])).toMatchObject({ ok: false, code: "malformed" });
    expect({ codes, errors }).toEqual({ codes: ["malformed", "malformed"], errors: [] });
  });

  it("does not write out bytes that a message names over and over", async () => {
    const door = await memoryDoor(TO_SERVER)(hooks());
    // As text these would be terabytes.
    const body = new Array(30_000).fill(Buffer.alloc(2 ** 20));
    expect(await door.ask("report", [body])).toMatchObject({ ok: false, code: "malformed" });
    expect({ codes, errors }).toEqual({ codes: ["malformed"], errors: [] });
  });
});
