import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runRoutes, type ServerEvent, ServiceClient } from "../../../src/api/index.js";
import { createRecord } from "../../../src/results/index.js";
import { outcome } from "../../results/fixtures.js";
import { testService } from "../support/testService.js";

const { app, ask, base } = await testService();
const folder = join(base, "results");
mkdirSync(folder, { recursive: true });
const open = (runId: string) =>
  createRecord({ folder, runId, name: "small", config: { results: { types: "round, accuracy" } } });
const done = await open("done");
for (const round of [1, 2, 3]) {
  await done.append({ round, accuracy: round / 4 }, [outcome("half", { half: round / 2 })]);
}
await done.finish();
mkdirSync(join(folder, "done", "samples"), { recursive: true });
const sample = (doc: number, correct: number) =>
  JSON.stringify({
    ...{ evaluator: "half", task: "letters", doc, requests: [{ prompts: [`which ${doc}?`] }] },
    ...{ answers: [{ text: "b" }], gold: "a", scores: { exact: correct } },
  });
const samples = Array.from({ length: 8 }, (_, doc) => sample(doc, doc % 4 === 0 ? 0 : 1));
writeFileSync(join(folder, "done", "samples", "3-half-letters.jsonl"), `${samples.join("\n")}\n`);

describe("runs", () => {
  it("are listed with how they stand", async () => {
    expect((await ask("GET", "/api/runs")).json.data).toMatchObject([
      {
        run_id: "done",
        name: "small",
        status: "completed",
        rounds: 3,
        last_row: { round: 3, accuracy: 0.75 },
      },
    ]);
  });

  it("have columns, what is in them, and rows from a place on", async () => {
    const { json, headers } = await ask("GET", "/api/runs/done?from=1");
    expect(json.columns.slice(0, 2)).toEqual(["round", "accuracy"]);
    expect(json).toMatchObject({ from: 1, total: 3 });
    expect(json.rows.map((row: unknown[]) => row[0])).toEqual([2, 3]);
    expect(json.described.evaluation_half).toMatchObject({ metric: "half" });
    const again = await ask("GET", "/api/runs/done?from=1", undefined, {
      headers: { "if-none-match": String(headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("give the newest rows first where only those are wanted, and only the columns that are", async () => {
    const { json, headers } = await ask("GET", "/api/runs/done?last=2&columns=accuracy,round,absent");
    expect(json).toMatchObject({ columns: ["round", "accuracy"], from: 1, total: 3 });
    expect(json.rows).toEqual([
      [2, 0.5],
      [3, 0.75],
    ]);
    expect((await ask("GET", "/api/runs/done?last=9")).json.from).toBe(0);
    const whole = { headers: { "if-none-match": String(headers.etag) } };
    expect((await ask("GET", "/api/runs/done", undefined, whole)).status).toBe(200);
  });

  it.each(["..%2Fdone", "%2Fetc%2Fpasswd", "absent", "done.csv", "."])(
    "are none by any other name: %s",
    async (name) => {
      const { status, text } = await ask("GET", `/api/runs/${name}`);
      expect(status).toBe(404);
      expect(text).not.toContain(base);
    },
  );

  it("show samples, failures alone too", async () => {
    expect((await ask("GET", "/api/runs/done/tasks")).json.data).toEqual([
      { round: 3, evaluator: "half", task: "letters" },
    ]);
    const { json } = await ask("GET", "/api/runs/done/samples?failures=true&limit=1&offset=1");
    expect(json).toMatchObject({
      metric: "exact",
      total: 2,
      samples: [{ doc: 4, prompt: "which 4?", answer: "b", gold: "a", score: 0 }],
    });
    expect((await ask("GET", "/api/runs/done/samples?task=letters")).json.total).toBe(8);
    const passed = (await ask("GET", "/api/runs/done/samples?passes=true&limit=1")).json;
    expect(passed).toMatchObject({ total: 6, samples: [{ doc: 1, score: 1 }] });
    expect((await ask("GET", "/api/runs/done/samples?task=numbers")).status).toBe(404);
    expect((await ask("GET", "/api/runs/done/samples?round=1")).status).toBe(404);
  });

  it("are compared, round with round", async () => {
    const { json } = await ask("GET", "/api/compare?a=done@1&b=done@2&metric=accuracy");
    expect(json).toMatchObject({
      a: { run_id: "done", round: 1 },
      cells: [{ column: "accuracy", difference: 0.25 }],
    });
    expect((await ask("GET", "/api/compare?a=done@1&b=done@9")).status).toBe(404);
    expect((await ask("GET", "/api/compare?a=done@1&b=done@2&confidence=2")).status).toBe(400);
  });
});

describe("a run that goes on", () => {
  it("is told row by row, with a new document when the columns grow, until it ends", async () => {
    const record = await open("live");
    await record.append({ round: 1, accuracy: 0.5 });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    afterAll(() => app.close());
    const client = new ServiceClient({ url, timeout: 20_000 });
    const told: ServerEvent[] = [];
    for await (const event of client.events(runRoutes.live, { params: { run_id: "live" }, query: {} })) {
      told.push(event);
      if (told.length === 1) await record.append({ round: 2, accuracy: 0.75 });
      if (told.length === 2) await record.append({ round: 3, accuracy: 1 }, [outcome("half", { half: 1 })]);
      if (told.length === 3) await record.finish();
    }
    expect(told.map(({ event }) => event)).toEqual(["run", "rows", "run", "end"]);
    const [whole, added, grown, end] = told.map(({ data }) => JSON.parse(data));
    expect(whole.rows).toEqual([[1, 0.5]]);
    expect(added).toEqual({ from: 1, rows: [[2, 0.75]] });
    expect(grown.rows).toHaveLength(3);
    expect(end).toEqual({ status: "completed" });

    // Cut off before the columns grew: the document again, not rows of columns that nobody told.
    const headers = { "last-event-id": told[1]!.id! };
    const again = await (await fetch(`${url}/api/runs/live/live?from=1`, { headers })).text();
    expect([...again.matchAll(/^event: (.*)$/gm)].map(([, event]) => event)).toEqual(["run", "end"]);
  });
});
