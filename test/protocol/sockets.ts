import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server, type Socket as ServerSocket } from "socket.io";
import { io as connect, type Socket } from "socket.io-client";
import {
  type ClientToServerEvents,
  clientSocketOptions,
  dropRequest,
  type Handshake,
  type InterServerEvents,
  type Limits,
  PROTOCOL_VERSION,
  type ServerToClientEvents,
  type SocketData,
  serverSocketOptions,
} from "../../src/protocol/index.js";

export type TestServer = Server<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>;
export type TestServerSocket = ServerSocket<
  ClientToServerEvents,
  ServerToClientEvents,
  InterServerEvents,
  SocketData
>;
export type TestClient = Socket<ServerToClientEvents, ClientToServerEvents>;

/** A real server on a free port of this machine, with the product's own options. */
export async function startSocketServer(limits: Limits) {
  const http = createServer();
  const server: TestServer = new Server(
    http,
    serverSocketOptions(limits, { ping_interval: 25, ping_timeout: 60 }),
  );
  server.engine.on("connection", dropRequest);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const clients: TestClient[] = [];

  return {
    server,
    url,
    /** A client that is not connected yet. */
    client(handshake: Partial<Handshake> = {}): TestClient {
      const auth = () => ({ protocol: PROTOCOL_VERSION, token: "secret", process: 1, ...handshake });
      const client: TestClient = connect(url, {
        ...clientSocketOptions(auth, limits),
        autoConnect: false,
        reconnection: false,
      });
      clients.push(client);
      return client;
    },
    /** A connected client and the server's socket for it. */
    async pair(): Promise<{ client: TestClient; socket: TestServerSocket }> {
      const client = this.client();
      const arrived = new Promise<TestServerSocket>((settle) => server.once("connection", settle));
      client.connect();
      const [socket] = await Promise.all([
        arrived,
        new Promise<void>((settle) => client.once("connect", settle)),
      ]);
      return { client, socket };
    },
    async close() {
      for (const client of clients) client.disconnect();
      await server.close();
    },
  };
}
