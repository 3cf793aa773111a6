import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type Job, JobStore, jobKinds, rowsOfJob } from "../../src/service/jobs/index.js";
import { openStorage } from "../../src/service/storage/index.js";
import { commandHere } from "../support/commandHere.js";
import { startElenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { testJobKinds } from "./suites/rowsJob.js";

const folder = temporaryFolder("worker");
const storage = await openStorage({ data_dir: join(folder, "runtime", "service") });
const store = new JobStore(storage);
afterAll(() => storage.close());

const jobsModule = pathToFileURL(fileURLToPath(new URL("../../dist/service/jobs/index.js", import.meta.url)));
writeFileSync(join(folder, "service.toml"), "[service]\nlease = 2\nconcurrency = 0\n");
// A kind of a user's own, in the shape of the tests' kind, with plain checks in place of a schema library.
writeFileSync(
  join(folder, "kinds.mjs"),
  `import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { jobKinds } from ${JSON.stringify(jobsModule.href)};

jobKinds.register("rows", {
  params: { safeParse: (data) => ({ success: true, data }) },
  async run({ params, stages, signal, progress }) {
    for (let index = 0; index < params.rows; index++) {
      progress(index, params.rows);
      if (await stages.has("squared", index)) continue;
      appendFileSync("begun", index + "\\n");
      await pause(params.each, undefined, { signal });
      await stages.append("squared", index, { square: index * index });
    }
    progress(params.rows, params.rows);
    return { done: true };
  },
});
`,
);
const words = ["worker", "service.toml", "--import", "./kinds.mjs"];

describe("elenchus worker", () => {
  it("does the jobs of a service; killed in the middle of one, another goes on and none is done twice", async () => {
    const { job } = await store.create({ kind: "rows", params: { rows: 25, each: 40 } }, testJobKinds());
    const victim = startElenchus(words, folder);
    await expect
      .poll(() => storage.count(rowsOfJob(job.id), "squared"), { timeout: 60_000, interval: 20 })
      .toBeGreaterThanOrEqual(4);
    victim.child.kill("SIGKILL");
    expect((await victim.finished).signal).toBe("SIGKILL");
    const next = startElenchus(words, folder);
    const ended = async (): Promise<Job["status"]> => (await store.get(job.id)).status;
    await expect.poll(ended, { timeout: 60_000, interval: 50 }).toBe("completed");
    expect(await store.get(job.id)).toMatchObject({ lapses: 1, result: { done: true } });
    const rows = [];
    for await (const row of storage.rows(rowsOfJob(job.id), "squared")) rows.push(row);
    expect(rows).toEqual(
      Array.from({ length: 25 }, (_, index) => ({ index, row: { square: index * index } })),
    );
    const begun = readFileSync(join(folder, "begun"), "utf8").trim().split("\n");
    expect(begun.length - new Set(begun).size).toBeLessThanOrEqual(1);

    next.child.kill("SIGTERM");
    const { status, stdout, stderr } = await next.finished;
    expect([status, stdout]).toEqual([143, ""]);
    expect(stderr).toMatch(/^\S+: takes jobs; data in .*storage, queue this process$/m);
    expect(stderr).toContain(`job ${job.id} (rows): completed`);
    expect(jobKinds.registeredNames()).toEqual([]);
  });

  it("says what is wrong with its configuration or its places, and ends", async () => {
    const away = ["worker", "--database", "postgres://user:secret@127.0.0.1:1/db"];
    const unreachable = await commandHere(...away, "--base", join(folder, "away"));
    expect(unreachable.status).toBe(1);
    expect(unreachable.stderr).toContain("STORAGE_FAILED");
    expect(unreachable.stderr).not.toContain("secret");
    const mistaken = await commandHere("worker", "--queue", "amqp://user:secret@host");
    expect(mistaken.status).toBe(2);
    expect(mistaken.stderr).toContain("service.queue");
    expect(mistaken.stderr).toContain("redis://host:port");
    expect(mistaken.stderr).not.toContain("secret");
  });
});
