import { Client } from "pg";
import { describe, expect, inject, it } from "vitest";
import { PostgresStorage } from "../../../src/service/storage/postgres/postgresStorage.js";
import { freePort } from "../../support/freePort.js";
import { storageSuite } from "../suites/storage.js";

const url = inject("postgresUrl");

storageSuite("PostgreSQL", { open: () => PostgresStorage.open(url, { schema: "suite" }) });

describe("the tables in PostgreSQL", () => {
  it("are made once, by however many that open them at the same time", async () => {
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => PostgresStorage.open(url, { schema: 'by "many"' })),
    );
    expect(await opened[0]!.create("job", "a", {})).toBeDefined();
    expect(await opened[3]!.get("job", "a")).toBeDefined();
    for (const storage of opened) await storage.close();
  });

  it("are not touched where a newer version has made them", async () => {
    await (await PostgresStorage.open(url, { schema: "newer" })).close();
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query("insert into newer.migrations (version) values (99)");
    await client.end();
    await expect(PostgresStorage.open(url, { schema: "newer" })).rejects.toMatchObject({
      code: "STORAGE_FAILED",
      message: expect.stringContaining("tables have version 99"),
    });
  });

  it("are written again after a connection has broken within a push", async () => {
    const storage = await PostgresStorage.open(url, { schema: "broken" });
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query("select pg_advisory_lock(hashtextextended($1, 0))", ["a\nlog"]);
    const pushed = storage.push("a", "log", ["lost"]).catch((error: unknown) => error);
    const waiting = "from pg_stat_activity where wait_event = 'advisory'";
    await expect.poll(async () => (await other.query(`select pid ${waiting}`)).rowCount).toBe(1);
    await other.query(`select pg_terminate_backend(pid) ${waiting}`);
    expect(await pushed).toMatchObject({ code: "STORAGE_FAILED" });
    await other.end();
    expect(await storage.push("a", "log", ["kept"])).toBe(0);
    await storage.close();
  });

  it("are asked for in vain where nobody listens, and no password is told", async () => {
    const away = `postgres://user:secret@127.0.0.1:${await freePort()}/db`;
    const failure = await PostgresStorage.open(away, { deadline: 5 }).catch((error: Error) => error.message);
    expect(failure).toContain("127.0.0.1");
    expect(failure).not.toContain("secret");
  });
});
