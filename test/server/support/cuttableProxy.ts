import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut. */
export interface CuttableProxy {
  readonly url: string;
  /** Cuts every connection; new ones can be made, unless `closed`. */
  cut(): void;
  /** Turns new connections away, or lets them in again. */
  closed: boolean;
  /** Cuts the connection once the client has sent so many bytes more; null: never. */
  cutAfterBytes: number | null;
  /** Connections made so far. */
  readonly connections: number;
  close(): void;
}

export async function startProxy(url: string): Promise<CuttableProxy> {
  const port = Number(new URL(url).port);
  const pairs = new Set<[Socket, Socket]>();
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  let connections = 0;
  const server = createServer((incoming) => {
    if (proxy.closed) {
      incoming.destroy();
      return;
    }
    connections++;
    const outgoing = connect(port, "127.0.0.1");
    const pair: [Socket, Socket] = [incoming, outgoing];
    pairs.add(pair);
    for (const socket of pair) socket.on("error", () => {});
    incoming.on("data", (data) => {
      if (proxy.cutAfterBytes !== null) {
        proxy.cutAfterBytes -= data.length;
        if (proxy.cutAfterBytes <= 0) {
          proxy.cutAfterBytes = null;
          cut();
          return;
        }
      }
      outgoing.write(data);
    });
    outgoing.on("data", (data) => incoming.write(data));
    incoming.on("close", () => outgoing.destroy());
    outgoing.on("close", () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: CuttableProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    closed: false,
    cutAfterBytes: null,
    get connections() {
      return connections;
    },
    close() {
      server.close();
      cut();
    },
  };
  return proxy;
}
