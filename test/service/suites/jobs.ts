import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { nodeArguments, silentLogger } from "../../../src/base/index.js";
import {
  defineJobKind,
  type Job,
  JobService,
  JobStore,
  JobWorker,
  rowsOfJob,
} from "../../../src/service/jobs/index.js";
import { type JobQueue, openQueue } from "../../../src/service/queue/index.js";
import { openStorage, type Storage } from "../../../src/service/storage/index.js";
import { testJobKinds } from "./rowsJob.js";

/** Where a service under test keeps and hands out its jobs. */
export interface Places {
  readonly database?: string;
  readonly queue?: string;
  /** A folder of this suite. */
  readonly data_dir: string;
}

const PROCESS = fileURLToPath(new URL("./workerProcess.ts", import.meta.url));
const LEASE = 2;
const BEAT = 0.2;
const kinds = testJobKinds();

/** What jobs must do, whatever storage and queue they have. */
export function jobSuite(name: string, places: Places): void {
  describe(`jobs with ${name}`, () => {
    let storage: Storage;
    let store: JobStore;
    const workers: { stop(): Promise<void> }[] = [];
    const queues: JobQueue[] = [];
    beforeAll(async () => {
      storage = await openStorage(places);
      store = new JobStore(storage);
    });
    afterEach(async () => {
      for (const worker of workers.splice(0)) await worker.stop();
      for (const queue of queues.splice(0)) await queue.close();
      for (const { id, status } of await store.list()) {
        if (status === "scheduled" || status === "in_progress") await store.cancel(id);
      }
    });
    afterAll(() => storage.close());

    const openQueueOf = async () => {
      const queue = await openQueue({ ...places, lease: LEASE }, storage);
      queues.push(queue);
      return queue;
    };
    const startWorker = async (options: { concurrency?: number; mask?: (text: string) => string } = {}) => {
      const queue = await openQueueOf();
      const worker = await JobWorker.start({
        ...{ storage, queue, kinds, logger: silentLogger, lease: LEASE, beat: BEAT, grace: 1 },
        ...options,
      });
      workers.push(worker);
      return worker;
    };
    const submit = async (params: object) =>
      (await store.create({ kind: "rows", params: { ...params } }, kinds)).job;
    const when = async (id: string, met: (job: Job) => boolean) => {
      await expect.poll(async () => met(await store.get(id)), { timeout: 20_000, interval: 20 }).toBe(true);
      return store.get(id);
    };
    const ended = (id: string) =>
      when(id, ({ status }) => status !== "scheduled" && status !== "in_progress");
    const squares = async (id: string) => {
      const rows: unknown[] = [];
      for await (const row of storage.rows(rowsOfJob(id), "squared")) rows.push(row);
      return rows;
    };
    const squaresUpTo = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ index, row: { square: index * index } }));

    it("go from scheduled over in_progress to completed, with progress, rows, log and result", async () => {
      const job = await submit({ rows: 4, each: 150 });
      expect(job).toMatchObject({ status: "scheduled", started_at: null, lease: null });
      const worker = await startWorker();
      const begun = await when(job.id, ({ progress }) => progress.rate !== null);
      expect(begun).toMatchObject({ status: "in_progress", ended_at: null, progress: { total: 4 } });
      expect(begun.lease?.worker).toContain(worker.name);
      expect(begun.progress.rate).toBeGreaterThan(0);
      expect(begun.progress.rate).toBeLessThan(10);
      expect(begun.progress.time_left).toBeCloseTo((4 - begun.progress.done) / begun.progress.rate!, 6);
      const done = await ended(job.id);
      expect(done).toMatchObject({
        status: "completed",
        progress: { done: 4, total: 4, time_left: null },
        result: { sum: 14 },
        lease: null,
        lapses: 0,
        error: null,
      });
      expect(await squares(job.id)).toEqual(squaresUpTo(4));
      expect(await store.stages(job.id)).toEqual([{ stage: "squared", count: 4 }]);
      const lines = await store.logs.lines(job.id);
      expect(lines.map(({ text }) => text)).toEqual([
        `taken by ${worker.name}`,
        ...["row 0", "row 1", "row 2", "row 3"],
      ]);
      expect(await store.logs.lines(job.id, 3, 1)).toEqual([lines[3]]);
    });

    it("fail with the error of their work, and keep the rows before it", async () => {
      await startWorker({ mask: (text) => text.replace("bad", "***") });
      const job = await submit({ rows: 3, bad: 2 });
      expect(await ended(job.id)).toMatchObject({
        status: "failed",
        progress: { done: 2, total: 3 },
        error: { code: "ROW_INVALID", message: "Row 2 is ***." },
        result: null,
      });
      expect(await squares(job.id)).toEqual(squaresUpTo(2));
      const last = (await store.logs.lines(job.id)).at(-1);
      expect(last?.text).toBe("failed [ROW_INVALID]: Row 2 is ***.");
    });

    it("are cancelled before they begin, and then never begin", async () => {
      const job = await submit({ rows: 1 });
      expect(await store.cancel(job.id)).toMatchObject({ status: "cancelled", started_at: null });
      await startWorker();
      const later = await submit({ rows: 1 });
      expect(await ended(later.id)).toMatchObject({ status: "completed" });
      expect(await store.get(job.id)).toMatchObject({ status: "cancelled", started_at: null });
      await expect(store.cancel(job.id)).rejects.toMatchObject({ code: "JOB_ENDED" });
      await expect(store.cancel("nobody")).rejects.toMatchObject({ code: "JOB_UNKNOWN" });
    });

    it("are cancelled within a row, by another process too", async () => {
      const worker = await startWorker();
      const job = await submit({ rows: 3, each: 600_000 });
      await when(job.id, ({ status }) => status === "in_progress");
      expect(await store.cancel(job.id)).toMatchObject({ status: "cancelled", lease: null });
      await expect.poll(() => worker.running, { timeout: 20_000 }).toEqual([]);
      expect(await squares(job.id)).toEqual([]);
      expect(await store.get(job.id)).toMatchObject({ status: "cancelled" });
    });

    it("free their worker although their work does not listen", async () => {
      const worker = await startWorker();
      const job = await submit({ rows: 1, each: 60_000, deaf: true });
      await when(job.id, ({ status }) => status === "in_progress");
      await store.cancel(job.id);
      worker.noticeCancel(job.id);
      await expect.poll(() => worker.running, { timeout: 20_000 }).toEqual([]);
      expect(await store.get(job.id)).toMatchObject({ status: "cancelled" });
    });

    it("are shared by workers, each job by one", async () => {
      const file = join(places.data_dir, "shared");
      const jobs = await Promise.all(
        Array.from({ length: 6 }, () => submit({ rows: 2, each: 100, begun: file })),
      );
      const pair = [await startWorker(), await startWorker()];
      for (const { id } of jobs) expect(await ended(id)).toMatchObject({ status: "completed", lapses: 0 });
      expect(linesOf(file)).toHaveLength(12);
      const takers = await Promise.all(jobs.map(async ({ id }) => (await store.logs.lines(id))[0]!.text));
      expect(new Set(takers)).toEqual(new Set(pair.map((worker) => `taken by ${worker.name}`)));
    });

    it("are done several at once where a worker may", async () => {
      const worker = await startWorker({ concurrency: 3 });
      const jobs = await Promise.all(Array.from({ length: 4 }, () => submit({ rows: 1, each: 600_000 })));
      await expect.poll(() => worker.running.length, { timeout: 20_000 }).toBe(3);
      await pause(3 * BEAT * 1000);
      expect(worker.running).toHaveLength(3);
      const statuses = await Promise.all(jobs.map(async ({ id }) => (await store.get(id)).status));
      expect(statuses.filter((status) => status === "in_progress")).toHaveLength(3);
    });

    it("go on behind their last row when their worker has stopped and another takes them", async () => {
      const file = join(places.data_dir, "stopped");
      const first = await startWorker();
      const job = await submit({ rows: 6, each: 100, begun: file });
      await when(job.id, ({ progress }) => progress.done >= 2);
      await first.stop();
      expect(await store.get(job.id)).toMatchObject({ status: "in_progress", lease: null, lapses: 0 });
      const kept = (await squares(job.id)).length;
      expect(kept).toBeGreaterThanOrEqual(2);
      await startWorker();
      expect(await ended(job.id)).toMatchObject({ status: "completed", result: { sum: 55 }, lapses: 0 });
      expect(await squares(job.id)).toEqual(squaresUpTo(6));
      // The row at hand when the worker stopped was begun twice, none that was stored.
      expect(linesOf(file)).toHaveLength(7);
    });

    it("are taken over when a lease lapses, and given up when that happens again and again", async () => {
      const job = await submit({ rows: 2 });
      expect(await store.claim(job.id, "silent", 60)).toMatchObject({ status: "in_progress", lapses: 0 });
      expect(await store.claim(job.id, "greedy", 1)).toBeUndefined();
      expect(await store.beat(job.id, "greedy", 1, job.progress)).toMatchObject({
        lease: { worker: "silent" },
      });
      await store.beat(job.id, "silent", 0.01, job.progress);
      await startWorker();
      expect(await ended(job.id)).toMatchObject({ status: "completed", lapses: 1 });
      expect(await store.complete(job.id, "silent", job.progress, "late")).toBeUndefined();
      expect(await store.get(job.id)).toMatchObject({ result: { sum: 1 } });

      const deadly = await store.create({ kind: "other", params: {} }, otherKinds());
      for (let lapses = 0; lapses <= 3; lapses++) {
        expect(await store.claim(deadly.job.id, `victim ${lapses}`, 0.02)).toMatchObject({ lapses });
        await pause(60);
      }
      expect(await store.claim(deadly.job.id, "survivor", 0.02)).toBeUndefined();
      expect(await store.get(deadly.job.id)).toMatchObject({
        status: "failed",
        lapses: 4,
        error: { code: "JOB_LOST", message: expect.stringContaining("victim 3") },
      });
    });

    it("are left alone by workers that do not know their kind", async () => {
      const { job } = await store.create({ kind: "other", params: {} }, otherKinds());
      await startWorker();
      const known = await submit({ rows: 1 });
      await ended(known.id);
      expect(await store.get(job.id)).toMatchObject({ status: "scheduled" });
    });

    it("are refused with the faults of their parameters, and made once for one id", async () => {
      await expect(store.create({ kind: "nothing", params: {} }, kinds)).rejects.toMatchObject({
        code: "NAME_UNKNOWN",
      });
      await expect(submit({ rows: "many" })).rejects.toMatchObject({
        code: "JOB_PARAMS",
        details: { faults: [{ key: "rows" }] },
      });
      const request = { kind: "rows", params: { rows: 1 }, id: `own ${name}` };
      const made = await Promise.all([store.create(request, kinds), store.create(request, kinds)]);
      expect(made.map(({ created }) => created).sort()).toEqual([false, true]);
      expect(made[0]!.job.id).toBe(made[1]!.job.id);
    });

    it("have a log that can be followed to their end", async () => {
      const job = await submit({ rows: 3, each: 100 });
      await startWorker();
      const texts: string[] = [];
      for await (const { text } of store.follow(job.id, { from: 1 })) texts.push(text);
      expect(texts).toEqual(["row 0", "row 1", "row 2"]);
      expect(await store.get(job.id)).toMatchObject({ status: "completed" });
    });

    it("are removed with rows and log once they have ended", async () => {
      const job = await submit({ rows: 1 });
      expect(await store.remove(job.id)).toBe(false);
      await startWorker();
      await ended(job.id);
      expect(await store.remove(job.id)).toBe(true);
      expect(await store.find(job.id)).toBeUndefined();
      expect(await squares(job.id)).toEqual([]);
      expect(await store.logs.lines(job.id)).toEqual([]);
    });

    it("are submitted, done and cancelled through a service, and go on when it is opened again", async () => {
      const settings = { ...places, lease: LEASE, concurrency: 1 };
      const options = { storage, settings, kinds, logger: silentLogger };
      const service = await JobService.start(options);
      workers.push({ stop: () => service.close() });
      const { job } = await service.submit({ kind: "rows", params: { rows: 2 } });
      expect(await ended(job.id)).toMatchObject({ status: "completed", result: { sum: 1 } });
      const long = await service.submit({ kind: "rows", params: { rows: 2, each: 600_000 } });
      await when(long.job.id, ({ status }) => status === "in_progress");
      expect(await service.cancel(long.job.id)).toMatchObject({ status: "cancelled" });
      const rest = await service.submit({ kind: "rows", params: { rows: 8, each: 50 } });
      await when(rest.job.id, ({ status }) => status === "in_progress");
      await service.close();
      workers.pop();
      const again = await JobService.start(options);
      workers.push({ stop: () => again.close() });
      expect(await ended(rest.job.id)).toMatchObject({ status: "completed", result: { sum: 140 } });
    });

    it("lose nothing when a worker is killed: rows stay, another goes on, none is stored twice", async () => {
      const file = join(places.data_dir, "killed");
      const job = await submit({ rows: 30, each: 40, begun: file });
      const words = [
        ...nodeArguments(),
        PROCESS,
        JSON.stringify({ ...places, lease: LEASE, concurrency: 1 }),
      ];
      const victim = spawn(process.execPath, words, { stdio: "ignore" });
      const gone = new Promise((resolve) => victim.once("exit", resolve));
      await expect
        .poll(() => storage.count(rowsOfJob(job.id), "squared"), { timeout: 40_000, interval: 20 })
        .toBeGreaterThanOrEqual(5);
      victim.kill("SIGKILL");
      await gone;
      const kept = await squares(job.id);
      expect(await store.get(job.id)).toMatchObject({ status: "in_progress" });
      await startWorker();
      const done = await ended(job.id);
      expect(done).toMatchObject({ status: "completed", lapses: 1, result: { sum: 8555 } });
      const rows = await squares(job.id);
      expect(rows).toEqual(squaresUpTo(30));
      expect(rows.slice(0, kept.length)).toEqual(kept);
      // Only the row at hand when the worker died was begun again.
      const begun = linesOf(file);
      expect(begun.length - new Set(begun).size).toBeLessThanOrEqual(1);
      expect((await store.logs.lines(job.id)).some(({ text }) => /was lost$/.test(text))).toBe(true);
    });
  });
}

function otherKinds() {
  const others = testJobKinds();
  others.register("other", defineJobKind({ params: z.object({}), run: () => Promise.resolve(null) }));
  return others;
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trim().split("\n");
}
