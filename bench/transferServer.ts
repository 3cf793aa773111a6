// The receiving process of the transfer benchmark: our own transfer over socket.io, and plain TCP beside it.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server } from "socket.io";
import {
  ACCEPTED,
  type ClientToServerEvents,
  createPayloadReceiver,
  createPayloadStore,
  dropRequest,
  openDoor,
  type ServerToClientEvents,
  serverSocketOptions,
  TO_SERVER,
} from "../src/protocol/index.js";
import { checkUpdate } from "../src/server/updateCheck.js";
import { layoutFrom } from "../src/weights/index.js";
import { BYTES, CHECKED, ELEMENTS, LIMITS, SERVER, TCP_DIGEST_BYTES } from "./transferSettings.js";

const folder = await mkdtemp(join(tmpdir(), "elenchus-bench-"));
const layout = layoutFrom([{ name: "w", dtype: "float32", shape: [ELEMENTS] }]);
const contents = { arrays: layout.arrays, layout };
const http = createServer();
const io = new Server<ClientToServerEvents, ServerToClientEvents>(http, serverSocketOptions(LIMITS, SERVER));
io.engine.on("connection", dropRequest);
const store = createPayloadStore({ folder });
const receiver = createPayloadReceiver({ limits: LIMITS, store, onError: fail });

io.on("connection", (socket) => {
  const owner = socket.id;
  openDoor(
    socket,
    TO_SERVER,
    {
      progress: () => {},
      report: (report) =>
        receiver.open(owner, report.transfer, {
          async accept(payload) {
            const checked = report.client_id === CHECKED && (await checkUpdate(payload, contents, "reject"));
            if (checked && !checked.good) fail(checked.message);
            await payload.discard();
            return ACCEPTED;
          },
          lost: (_, message) => fail(message),
        }),
      chunk: (header, data) => receiver.chunk(owner, header, data),
      transfer_done: (message) => receiver.done(owner, message),
      failed: () => {},
      leave: () => {},
    },
    { reportBytes: LIMITS.report_bytes, onRefused: (...refusal) => fail(refusal), onError: fail },
  );
});

// Plain TCP: the bytes, then their SHA-256; a byte comes back when both agree.
const tcp = createTcpServer((socket) => {
  let hash = createHash("sha256");
  let left = BYTES;
  let digest = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("data", (data) => {
    const body = data.subarray(0, left);
    if (body.length > 0) hash.update(body);
    left -= body.length;
    digest = Buffer.concat([digest, data.subarray(body.length)]);
    if (digest.length < TCP_DIGEST_BYTES) return;
    socket.write(hash.digest().equals(digest) ? "y" : "n");
    hash = createHash("sha256");
    left = BYTES;
    digest = Buffer.alloc(0);
  });
});

http.listen(0, "127.0.0.1", () => {
  tcp.listen(0, "127.0.0.1", () => {
    const port = (server: typeof http | typeof tcp) => (server.address() as AddressInfo).port;
    process.send?.({ http: port(http), tcp: port(tcp) });
  });
});
process.on("disconnect", () => {
  void rm(folder, { recursive: true, force: true }).then(() => process.exit());
});

function fail(error: unknown): void {
  console.error("transfer benchmark, receiving end:", error);
}
