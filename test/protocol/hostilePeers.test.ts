import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { io as connect } from "socket.io-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ACCEPTED,
  announce,
  askOf,
  createPayloadReceiver,
  createPayloadStore,
  type PayloadReceiver,
  type PayloadStore,
  preparePayload,
  type ReceivedPayload,
  sendPayload,
} from "../../src/protocol/index.js";
import { smallLimits, someBytes } from "./limits.js";
import { startSocketServer, type TestClient, type TestServerSocket } from "./sockets.js";
import { openTransferDoor } from "./transferDoor.js";

const limits = smallLimits();
const FAILED = { round: 1, client_id: 1, code: "TRAINING_FAILED", message: "" };

/** A client's socket without its types: what a hostile program has. */
interface Untyped {
  emit(event: string, ...args: unknown[]): void;
}

describe("a server among hostile clients", () => {
  let server: Awaited<ReturnType<typeof startSocketServer>>;
  let folder: string;
  let store: PayloadStore;
  let receiver: PayloadReceiver;
  let refused: string[];
  let honest: { client: TestClient; socket: TestServerSocket };
  let hostile: { client: TestClient; socket: TestServerSocket };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "elenchus-hostile-"));
    store = createPayloadStore({ folder });
    receiver = createPayloadReceiver({ limits, store, onError: () => {} });
    server = await startSocketServer(limits);
    [honest, hostile] = [await server.pair(), await server.pair()];
    refused = [];
    for (const { socket } of [honest, hostile]) {
      openTransferDoor(socket, receiver, socket.id, limits, (code) => refused.push(code));
    }
  });
  afterEach(async () => {
    await server.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** An honest upload, begun before and ended after whatever the hostile client does. */
  const uploadAround = async (attack: () => Promise<void>) => {
    const payload = preparePayload([someBytes(10_000)], limits);
    const transfer = announce(payload);
    let received: ReceivedPayload | undefined;
    receiver.open(honest.socket.id, transfer, {
      accept(arrived) {
        received = arrived;
        return ACCEPTED;
      },
      lost: (code) => expect.fail(`the honest upload was lost: ${code}`),
    });
    let attacked: Promise<void> | undefined;
    await sendPayload(
      async (event, args, milliseconds) => {
        attacked ??= attack();
        await attacked;
        return askOf(honest.client)(event, args, milliseconds);
      },
      payload,
      transfer,
      { limits },
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of received!.read()) pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces).equals(someBytes(10_000))).toBe(true);
  };
  const disconnected = (client: TestClient) =>
    new Promise<string>((settle) => client.once("disconnect", (reason) => settle(reason)));

  it("drops only the connection of a client that sends a frame beyond the limits", async () => {
    await uploadAround(async () => {
      const gone = disconnected(hostile.client);
      (hostile.client as unknown as Untyped).emit(
        "chunk",
        { transfer: "t", index: 0 },
        Buffer.alloc(200_000),
      );
      expect(await gone).toMatch(/transport (close|error)/);
    });
    expect(honest.client.connected).toBe(true);
  });

  it("drops only the connection of a client that sends eleven attachments in a packet", async () => {
    await uploadAround(async () => {
      const gone = disconnected(hostile.client);
      const attachments = Array.from({ length: 11 }, () => Buffer.from([1]));
      (hostile.client as unknown as Untyped).emit("chunk", { transfer: "t", index: 0 }, ...attachments);
      expect(await gone).toMatch(/transport (close|error)|server/);
    });
    expect(honest.client.connected).toBe(true);
  });

  it("drops only the connection of a client that breaks socket.io's own protocol", async () => {
    for (const frame of ["4garbage", '42["connect"]', '451-["chunk",{"_placeholder":true,"num":7}]', "49"]) {
      const { client } = await server.pair();
      const gone = disconnected(client);
      const engine = client.io.engine as unknown as { transport: { ws: { send(data: string): void } } };
      engine.transport.ws.send(frame);
      if (frame.startsWith("451")) engine.transport.ws.send("4again");
      expect(await gone).toMatch(/transport (close|error)|server/);
    }
    expect(honest.client.connected).toBe(true);
  });

  it("refuses what is nested too deep, or names one attachment over and over", async () => {
    const places = `[${new Array(1000).fill('{"_placeholder":true,"num":0}').join()}]`;
    await uploadAround(async () => {
      const { client } = hostile;
      const engine = client.io.engine as unknown as { transport: { ws: { send(data: unknown): void } } };
      const { ws } = engine.transport;
      ws.send(`42["leave",${"[".repeat(30_000)}${"]".repeat(30_000)}]`);
      ws.send(`451-["report",${places}]`);
      ws.send(Buffer.alloc(60_000));
      expect(await client.timeout(5000).emitWithAck("failed", FAILED)).toEqual(ACCEPTED);
    });
    expect(refused).toEqual(["malformed", "malformed"]);
    expect(hostile.client.connected).toBe(true);
  });

  it("answers the unfinished payload of a client that vanished with nothing but a loss", async () => {
    const payload = preparePayload([someBytes(10_000)], limits);
    const transfer = announce(payload);
    const lost: string[] = [];
    receiver.open(hostile.socket.id, transfer, { accept: () => ACCEPTED, lost: (code) => lost.push(code) });
    hostile.socket.on("disconnect", () =>
      receiver.drop(hostile.socket.id, "late", "The connection was lost."),
    );
    const sending = sendPayload(askOf(hostile.client), payload, transfer, {
      limits,
      onProgress: () => hostile.client.disconnect(),
    });
    await expect(sending).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    await expect.poll(() => lost).toEqual(["late"]);
    expect(receiver.buffered).toBe(0);
  });

  it("takes WebSockets only", async () => {
    const polling = connect(server.url, { transports: ["polling"], reconnection: false, forceNew: true });
    const error = await new Promise<Error>((settle) => polling.once("connect_error", settle));
    polling.disconnect();
    expect(error).toBeInstanceOf(Error);
    expect((await fetch(`${server.url}/socket.io/socket.io.js`)).ok).toBe(false);
  });

  it("does not compress, and does not keep the request that began a connection", () => {
    const transport = honest.socket.conn.transport as unknown as { socket: { extensions: string } };
    expect(transport.socket.extensions).toBe("");
    expect(honest.socket.request).toBeNull();
    expect(honest.socket.recovered).toBe(false);
  });
});

describe("a client of a hostile server", () => {
  it("drops the connection when a frame goes beyond the limits", async () => {
    const server = await startSocketServer(limits);
    const { client, socket } = await server.pair();
    const gone = new Promise<string>((settle) => client.once("disconnect", (reason) => settle(reason)));
    (socket as unknown as Untyped).emit("chunk", { transfer: "t", index: 0 }, Buffer.alloc(200_000));
    expect(await gone).toMatch(/transport/);
    await server.close();
  });
});
