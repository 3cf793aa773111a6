import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "./freePort.js";
import { outsideProgram, versionFolders } from "./outsideProgram.js";
import { startServerProcess } from "./serverProcess.js";

/**
 * Starts a PostgreSQL of its own: a new data folder under the temporary folder, a free port on the loopback.
 * PostgreSQL refuses to run as root; root starts it as the user `postgres`.
 */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const find = (name: string) =>
    outsideProgram(name, {
      variable: "POSTGRES_BIN",
      places: versionFolders("/usr/lib/postgresql"),
      mend: "Install PostgreSQL, on Debian with apt-get install postgresql",
    });
  const folder = mkdtempSync(join(tmpdir(), "elenchus-postgres-"));
  const owner = process.getuid?.() === 0 ? userNamed("postgres") : undefined;
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const data = join(folder, "data");
  const surroundings = { cwd: folder, ...owner };
  try {
    const words = [
      "-D",
      data,
      "-U",
      "elenchus",
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
    ];
    const made = spawnSync(find("initdb"), words, { ...surroundings, encoding: "utf8", timeout: 120_000 });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
    const port = await freePort();
    const url = `postgres://elenchus@127.0.0.1:${port}/postgres`;
    const listen = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", "", "-c", "fsync=off"];
    const server = await startServerProcess(find("postgres"), listen, surroundings, async () => {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
      await client.connect();
      await client.end();
    });
    return {
      url,
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

function userNamed(name: string): { uid: number; gid: number } {
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [user, , uid, gid] = line.split(":");
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`There is no user ${name}, as whom root could start PostgreSQL.`);
}
