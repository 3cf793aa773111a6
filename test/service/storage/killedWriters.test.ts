import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { nodeArguments } from "../../../src/base/index.js";
import { EmbeddedStorage, openStorage } from "../../../src/service/storage/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

const WRITER = fileURLToPath(new URL("./killedWriter.ts", import.meta.url));
const folder = temporaryFolder("killed-writers");

/** @returns the last index that the writer said to have stored */
function killedAfter(name: string, rows: number): Promise<number> {
  const words = [...nodeArguments(), WRITER, join(folder, "shared"), name];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (data) => {
    said += data;
    if (said.split("\n").length > rows) child.kill("SIGKILL");
  });
  return new Promise((resolve) => {
    child.once("close", () => resolve(Number(said.trim().split("\n").at(-1))));
  });
}

describe("a storage in a folder", () => {
  it("keeps what killed processes had stored, and serves the next ones", async () => {
    const names = ["a", "b", "c"];
    const last = await Promise.all(names.map((name, place) => killedAfter(name, 40 + 15 * place)));
    const storage = await EmbeddedStorage.open(join(folder, "shared"));
    const log: unknown[] = [];
    for await (const { row } of storage.rows("common", "log")) log.push(row);
    for (const [place, name] of names.entries()) {
      const stored = last[place]!;
      expect(stored).toBeGreaterThanOrEqual(39);
      // At most the round that the kill ended is there beside what was said.
      const count = await storage.count(name, "rows");
      expect([stored + 1, stored + 2]).toContain(count);
      let index = 0;
      for await (const found of storage.rows(name, "rows")) {
        expect(found).toEqual({ index, row: `${name} ${index++}` });
      }
      const mark = (await storage.get("mark", name))!;
      expect([stored, stored + 1]).toContain(mark.value.index);
      const own = log.filter((row) => String(row).startsWith(`${name} `));
      expect([stored + 1, stored + 2]).toContain(own.length);
      expect(own).toEqual(own.map((_, line) => `${name} ${line}`));
      expect(await storage.append(name, "rows", [{ index: count, row: "next" }])).toBe(1);
      expect(await storage.replace("mark", name, mark.version, { index: -1 })).toBeDefined();
    }
  });

  it("is refused where the folder is none, or another version's", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(EmbeddedStorage.open(file)).rejects.toMatchObject({
      code: "STORAGE_FAILED",
      message: expect.stringContaining(file),
    });
    await (await EmbeddedStorage.open(join(folder, "other"))).close();
    writeFileSync(join(folder, "other", "format"), "2\n");
    await expect(EmbeddedStorage.open(join(folder, "other"))).rejects.toThrow("format 2");
  });

  it("is chosen by the address of its database, of which no secret is told", async () => {
    const storage = await openStorage({ data_dir: join(folder, "chosen") });
    expect(storage.place).toBe(join(folder, "chosen", "storage"));
    await storage.close();
    for (const database of ["mysql://user:secret@host/db?password=secret", "user:secret"]) {
      const failure = await openStorage({ database, data_dir: folder }).catch((error: Error) => error);
      expect(failure).toMatchObject({
        code: "STORAGE_FAILED",
        message: expect.stringContaining("postgres://"),
      });
      expect(String(failure)).not.toContain("secret");
    }
  });
});
