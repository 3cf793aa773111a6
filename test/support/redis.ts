import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "./freePort.js";
import { outsideProgram } from "./outsideProgram.js";
import { startServerProcess } from "./serverProcess.js";

/** Starts a Redis of its own, which keeps nothing on the disk, on a port of the loopback; default a free one. */
export async function startRedis(at?: number): Promise<{ url: string; stop(): Promise<void> }> {
  const program = outsideProgram("redis-server", {
    variable: "REDIS_BIN",
    places: ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"],
    mend: "Install Redis, on Debian with apt-get install redis-server",
  });
  const folder = mkdtempSync(join(tmpdir(), "elenchus-redis-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const port = at ?? (await freePort());
  const words = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  try {
    const server = await startServerProcess(program, words, { cwd: folder }, async () => {
      const client = new Redis(port, "127.0.0.1", { lazyConnect: true, retryStrategy: () => null });
      client.on("error", () => {});
      try {
        await client.connect();
        await client.ping();
      } finally {
        client.disconnect();
      }
    });
    return {
      url: `redis://127.0.0.1:${port}`,
      stop: async () => {
        await server.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
