import type { Server } from "socket.io";
import type { Socket } from "socket.io-client";
import { expectTypeOf, it } from "vitest";
import type {
  ClientToServerEvents,
  InterServerEvents,
  Reply,
  Report,
  ServerToClientEvents,
  SocketData,
} from "../../src/protocol/index.js";

type FederationServer = Server<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>;
type ServerSocket = Parameters<Parameters<FederationServer["use"]>[0]>[0];
type ClientSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

it("types the events of both ends, acknowledgements included", () => {
  const onServer = (socket: ServerSocket) => {
    socket.on("report", (report, reply) => {
      expectTypeOf(report).toEqualTypeOf<Report>();
      expectTypeOf(reply).toEqualTypeOf<(answer: Reply) => void>();
    });
    socket.on("chunk", (header, data, reply) => {
      expectTypeOf(header.index).toEqualTypeOf<number>();
      expectTypeOf(data).toEqualTypeOf<Uint8Array>();
      expectTypeOf(reply).returns.toBeVoid();
    });
    expectTypeOf(socket.data).toExtend<Partial<SocketData>>();
    // @ts-expect-error no such event
    socket.on("upload", () => {});
  };
  const onClient = (socket: ClientSocket) => {
    socket.on("end", (message) => {
      expectTypeOf(message.status).toEqualTypeOf<"completed" | "failed" | "interrupted">();
    });
    // @ts-expect-error a report without its transfer
    socket.emit("report", { round: 1, client_id: 1 }, () => {});
  };
  expectTypeOf(onServer).toBeFunction();
  expectTypeOf(onClient).toBeFunction();
});
