import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testService } from "../support/testService.js";

const { ask, base, context } = await testService({ set: ["max_dataset_rows=50", "max_request_rows=20"] });
mkdirSync(join(base, "data"), { recursive: true });
writeFileSync(join(base, "data", "five.csv"), "question,answer\n1,a\n2,b\n3,\n4,d\n5,e\n");
writeFileSync(join(base, "secret.csv"), "question,answer\n1,hidden\n");

const rows = (count: number) => Array.from({ length: count }, (_, place) => ({ place }));
const register = (dataset_id: string, source: object) =>
  ask("POST", "/v1/datasets", { purpose: "eval/question-answer", source, dataset_id });

describe("data sets", () => {
  it("of rows are registered, shown, paged and removed", async () => {
    const made = await register("a/b c", { type: "rows", rows: rows(12) });
    expect(made.status).toBe(200);
    expect(made.json).toMatchObject({
      identifier: "a/b c",
      provider_id: "localfs",
      type: "dataset",
      source: { type: "rows" },
      metadata: {},
    });
    const path = "/v1/datasetio/iterrows/a%2Fb%20c";
    expect((await ask("GET", `${path}?start_index=10&limit=5`)).json).toEqual({
      data: [{ place: 10 }, { place: 11 }],
      has_more: false,
      url: path,
    });
    expect((await ask("GET", `${path}?limit=5`)).json).toMatchObject({ has_more: true });
    // Without a limit the start counts all the same.
    expect((await ask("GET", `${path}?start_index=9&limit=-1`)).json.data).toHaveLength(3);
    expect((await ask("GET", "/v1/datasets/a/b%20c")).json.source.rows).toHaveLength(12);
    expect((await ask("DELETE", "/v1/datasets/a/b%20c")).status).toBe(204);
    expect((await ask("GET", "/v1/datasets/a/b%20c")).status).toBe(404);
    expect((await register("a/b c", { type: "rows", rows: rows(1) })).json.source.rows).toHaveLength(1);
  });

  it("keep rows that are added, behind those of a file too", async () => {
    await register("file", { type: "uri", uri: "five.csv" });
    expect((await ask("POST", "/v1/datasetio/append-rows/file", { rows: [{ question: "6" }] })).status).toBe(
      204,
    );
    const { json } = await ask("GET", "/v1beta/datasetio/iterrows/file?start_index=2");
    expect(json.data.map((row: { question: unknown }) => String(row.question))).toEqual(["3", "4", "5", "6"]);
    // A cell that is missing is nothing that JSON does not have.
    expect(JSON.stringify(json.data[0])).not.toMatch(/NaN/);
  });

  it("from where nothing is read are refused when they are registered", async () => {
    const closed = await testService({ set: ["allow_private_addresses=false"] });
    for (const uri of [
      "http://127.0.0.1/rows.csv",
      "http://user:pass@example.com/rows.csv",
      "/etc/passwd",
      "file:///etc/passwd",
      "../rows.csv",
      "huggingface://datasets/../../etc?split=train",
    ]) {
      const { status, json } = await closed.ask("POST", "/v1/datasets", {
        purpose: "eval/question-answer",
        source: { type: "uri", uri },
      });
      expect([status, json.error.code], uri).toEqual([403, "ADDRESS_REFUSED"]);
    }
    const { status } = await closed.ask("POST", "/v1/datasets", {
      purpose: "eval/question-answer",
      source: { type: "uri", uri: "upload:file-nowhere" },
    });
    expect(status).toBe(404);
  });

  it("have names of their own", async () => {
    await register("twice", { type: "rows", rows: [] });
    const { status, json } = await register("twice", { type: "rows", rows: [] });
    expect(status).toBe(409);
    expect(json.error).toMatchObject({ code: "CONFLICT", type: "conflict_error", param: "dataset_id" });
    expect(
      (await ask("POST", "/v1/datasets", { purpose: "eval/question-answer", source: { rows: [] } })).json
        .identifier,
    ).toMatch(/^dataset-[0-9a-f-]{36}$/);
  });

  it("have empty texts where a table has nothing, and no numbers that JSON has not", async () => {
    await register("gaps", { type: "uri", uri: "data:text/csv,x,y%0A1,%0ANaN,nan%0A" });
    expect((await ask("GET", "/v1/datasetio/iterrows/gaps")).json.data).toEqual([
      { x: "1", y: "" },
      { x: "NaN", y: "nan" },
    ]);
  });

  it("come from a data URL, or from an uploaded file", async () => {
    const table = `data:text/csv;base64,${Buffer.from("x,y\n1,2\n").toString("base64")}`;
    await register("url", { type: "uri", uri: table });
    expect((await ask("GET", "/v1/datasetio/iterrows/url")).json.data).toHaveLength(1);
    const file = await context.files.add([Buffer.from('{"x":1}\n{"x":2}\n')], {
      filename: "rows.jsonl",
      purpose: "eval",
    });
    await register("upload", { type: "uri", uri: `upload:${file.id}` });
    expect((await ask("GET", "/v1/datasetio/iterrows/upload")).json.data).toEqual([{ x: 1 }, { x: 2 }]);
  });

  it.each(["../secret.csv", "/etc/passwd", "file:///etc/passwd", "..%2Fsecret.csv"])(
    "never come from outside the data folder: %s",
    async (uri) => {
      await register(`out ${uri}`, { type: "uri", uri });
      const { status, text } = await ask("GET", `/v1/datasetio/iterrows/${encodeURIComponent(`out ${uri}`)}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(/hidden|root:/);
    },
  );

  it("have no more rows than the service takes, and a reply has fewer", async () => {
    expect((await register("large", { type: "rows", rows: rows(51) })).json.error.code).toBe(
      "LIMIT_EXCEEDED",
    );
    expect((await ask("GET", "/v1/datasets/large")).status).toBe(404);
    await register("full", { type: "rows", rows: rows(50) });
    expect((await ask("POST", "/v1/datasetio/append-rows/full", { rows: rows(1) })).status).toBe(413);
    expect((await ask("GET", "/v1/datasetio/iterrows/full")).json).toMatchObject({ has_more: true });
    expect((await ask("GET", "/v1/datasetio/iterrows/full")).json.data).toHaveLength(20);
  });

  it("that cannot be understood are refused, fault by fault", async () => {
    const { status, json } = await ask("POST", "/v1/datasets", { purpose: "fun", source: { uri: 3 } });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: "REQUEST_INVALID", param: "purpose" });
    expect(json.error.faults).toHaveLength(2);
    const poisoned = await ask("POST", "/v1/datasets", undefined, {
      headers: { host: "localhost", "content-type": "application/json" },
    });
    expect(poisoned.status).toBe(400);
  });
});

describe("definitions", () => {
  const definition = {
    type: "custom",
    identifier: "seed",
    url: "five.csv",
    rename_columns_map: { question: "input_query" },
  };

  it("are registered, shown, listed and deleted", async () => {
    const made = await ask("POST", "/datasets/create", { dataset_def: definition });
    expect(made.json).toEqual({ status: "success", msg: "Dataset 'seed' registered", error: null });
    expect((await ask("GET", "/datasets/get?dataset_identifier=seed")).json).toEqual(definition);
    expect(
      (await ask("GET", "/datasets/list")).json.map((one: { identifier: string }) => one.identifier),
    ).toContain("seed");
    expect((await ask("GET", "/v1/datasetio/iterrows/seed?limit=1")).json.data[0]).toMatchObject({
      answer: "a",
    });
    const again = await ask("POST", "/datasets/create", { dataset_def: definition });
    expect(again.status).toBe(409);
    expect(again.json).toMatchObject({
      status: "fail",
      msg: "Dataset seed already exists.",
      error: { code: "CONFLICT" },
    });
    expect((await ask("POST", "/datasets/delete", { dataset_identifier: "seed" })).json.msg).toBe(
      "Dataset 'seed' deleted",
    );
    const gone = await ask("POST", "/datasets/delete", { dataset_identifier: "seed" });
    expect(gone.status).toBe(404);
    expect(gone.json).toMatchObject({ status: "fail", msg: "Dataset seed not found." });
    expect((await ask("GET", "/datasets/get?dataset_identifier=seed")).status).toBe(404);
  });
});
