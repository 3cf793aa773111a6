import { describe, expect, it } from "vitest";
import { createLogger, silentLogger } from "../../../src/base/index.js";
import { JobService } from "../../../src/service/jobs/index.js";
import { openQueue } from "../../../src/service/queue/index.js";
import { EmbeddedStorage } from "../../../src/service/storage/index.js";
import { freePort } from "../../support/freePort.js";
import { startRedis } from "../../support/redis.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { testJobKinds } from "../suites/rowsJob.js";

const storage = await EmbeddedStorage.open(temporaryFolder("redis-queue"));
const kinds = testJobKinds();

describe("a queue in Redis", () => {
  it("loses no job while Redis is away, not even one that it had forgotten", async () => {
    const port = await freePort();
    let redis = await startRedis(port);
    const said: string[] = [];
    const logger = createLogger("warn", (line) => said.push(line));
    const settings = { queue: redis.url, lease: 2, concurrency: 1 };
    const service = await JobService.start({ storage, kinds, logger, settings });
    try {
      const before = await service.submit({ kind: "rows", params: { rows: 20, each: 100 } });
      const status = async (id: string) => (await service.store.get(id)).status;
      await expect.poll(() => status(before.job.id)).toBe("in_progress");
      await redis.stop();
      const meanwhile = await service.submit({ kind: "rows", params: { rows: 3 } });
      expect(meanwhile).toMatchObject({ created: true, job: { status: "scheduled" } });
      expect(said.filter((line) => line.includes("127.0.0.1")).length).toBeGreaterThanOrEqual(1);
      // The one at hand goes on: its lease lies in the storage.
      await expect.poll(() => status(before.job.id), { timeout: 30_000 }).toBe("completed");
      redis = await startRedis(port);
      await expect.poll(() => status(meanwhile.job.id), { timeout: 30_000 }).toBe("completed");
      expect(await service.store.get(before.job.id)).toMatchObject({ lapses: 0 });
    } finally {
      await service.close();
      await redis.stop();
    }
  });

  it("is asked for in vain where nobody listens, and no password is told", async () => {
    const queue = `redis://user:secret@127.0.0.1:${await freePort()}`;
    const settings = { queue, lease: 2, concurrency: 1 };
    const failure = await JobService.start({ storage, kinds, logger: silentLogger, settings }).catch(
      (error: Error) => error,
    );
    expect(failure).toMatchObject({ code: "QUEUE_FAILED" });
    expect(String(failure)).toContain("127.0.0.1");
    expect(String(failure)).not.toContain("secret");
  });

  it("is not looked for at an address that is none of Redis", async () => {
    const opened = openQueue({ queue: "amqp://user:secret@host", lease: 2 }, storage);
    await expect(opened).rejects.toMatchObject({
      code: "QUEUE_FAILED",
      message: expect.stringMatching(/amqp:\/\/host.*redis:\/\//),
    });
  });
});
