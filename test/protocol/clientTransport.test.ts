import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { smallLimits } from "./limits.js";
import { startSocketServer } from "./sockets.js";

/** Bit 7 of a frame's second byte: its payload is masked with the four bytes behind the length (RFC 6455, 5.2). */
const MASKED = 0x80;
/** The opcode of a whole binary message, and the byte that says that its length follows in two bytes. */
const BINARY = 0x82;
const TWO_BYTES = 126;

it("sends frames under a mask of zeros, so that bytes are on the wire what they are", async () => {
  const server = await startSocketServer(smallLimits());
  try {
    const pieces: Buffer[] = [];
    const http = server.server.httpServer;
    http.on("connection", (socket: Socket) => socket.on("data", (piece) => pieces.push(piece)));
    const { client, socket } = await server.pair();
    const content = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7) & 0xff));

    const arrived = once(socket as unknown as NodeJS.EventEmitter, "any" as string);
    (client as unknown as { emit(event: string, content: Buffer): void }).emit("any", content);
    expect((await arrived)[0]).toEqual(content);

    const sent = Buffer.concat(pieces);
    const head = Buffer.from([BINARY, MASKED | TWO_BYTES, 300 >> 8, 300 & 0xff, 0, 0, 0, 0]);
    expect(sent.includes(Buffer.concat([head, content]))).toBe(true);
  } finally {
    await server.close();
  }
});
