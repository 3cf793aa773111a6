import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readBatchLine } from "../../../src/service/batches/batchLine.js";
import { bigram, testService } from "../support/testService.js";

/** Never answers before it is told to stop. */
const slow = bigram();
slow.generate = async (_, { signal } = {}) => {
  await sleep(60_000, undefined, { ...(signal && { signal }) }).catch(() => {});
  signal?.throwIfAborted();
  return [];
};
const { ask, context } = await testService({ models: { bigram: bigram(), slow } });
const line = (custom_id: string, body: object, more: object = {}) =>
  JSON.stringify({
    custom_id,
    method: "POST",
    url: "/v1/completions",
    body: { model: "bigram", ...body },
    ...more,
  });
const upload = async (lines: readonly string[]) =>
  (await context.files.add([Buffer.from(lines.join("\n"))], { filename: "in.jsonl", purpose: "batch" })).id;
const create = async (input_file_id: string, more: object = {}) =>
  await ask("POST", "/v1/openai/v1/batches", {
    ...{ input_file_id, endpoint: "/v1/completions", completion_window: "24h", ...more },
  });
const ended = async (id: string) => {
  await expect
    .poll(async () => (await ask("GET", `/v1/batches/${id}`)).json.status)
    .toMatch(/completed|failed|cancelled/);
  return (await ask("GET", `/v1/openai/v1/batches/${id}`)).json;
};
const content = async (file: string) =>
  (await ask("GET", `/v1/files/${file}/content`)).text
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one));

describe("a batch", () => {
  it("puts answers and failures into files of their own", async () => {
    const file = await upload([
      line("one", { prompt: "a", temperature: 0, max_tokens: 3 }),
      "",
      line("two", { prompt: "abcabcabcabc" }),
    ]);
    const made = await create(file, { metadata: { who: "me" } });
    expect(made.json).toMatchObject({
      object: "batch",
      endpoint: "/v1/completions",
      metadata: { who: "me" },
    });
    const batch = await ended(made.json.id);
    expect(batch).toMatchObject({
      status: "completed",
      request_counts: { total: 2, completed: 1, failed: 1 },
    });
    expect(batch.errors).toBeNull();
    const [answer] = await content(batch.output_file_id);
    expect(answer).toMatchObject({
      id: `batch_req_${batch.id}_1`,
      custom_id: "one",
      response: { status_code: 200, body: { choices: [{ text: "bca" }] } },
      error: null,
    });
    const [failure] = await content(batch.error_file_id);
    expect(failure).toMatchObject({
      id: `batch_req_${batch.id}_3`,
      response: null,
      error: { type: "request_failed", code: "DATA_INVALID" },
    });
  });

  it("with a wrong line is refused whole, before a model is asked", async () => {
    const file = await upload([
      line("one", { prompt: "a" }),
      "{",
      line("one", { prompt: "a" }),
      line("two", { prompt: "a" }, { url: "/v1/chat/completions" }),
      line("three", { prompt: "a", model: "none" }),
    ]);
    const batch = await ended((await create(file)).json.id);
    expect(batch).toMatchObject({ status: "failed", output_file_id: null, request_counts: { completed: 0 } });
    expect(batch.errors.data.map((one: { line: number; code: string }) => [one.line, one.code])).toEqual([
      [2, "invalid_json_line"],
      [3, "invalid_request"],
      [4, "invalid_url"],
      [5, "model_not_found"],
    ]);
  });

  it("is the same for the same idempotency key, and a conflict for another request", async () => {
    const file = await upload([line("one", { prompt: "a" })]);
    const made = (await create(file, { idempotency_key: "k" })).json;
    expect((await create(file, { idempotency_key: "k" })).json.id).toBe(made.id);
    const other = await create(await upload([line("two", { prompt: "a" })]), { idempotency_key: "k" });
    expect(other.status).toBe(409);
    expect(other.json.error).toMatchObject({ code: "CONFLICT", param: "idempotency_key" });
    // SHA-256 of "k" begins so.
    expect(made.id).toBe("batch_8254c329a92850f6d539dd37");
  });

  it("needs a file that is there", async () => {
    expect((await create("file-none")).status).toBe(404);
    expect((await ask("GET", "/v1/batches/batch_none")).status).toBe(404);
    expect((await ask("POST", "/v1/batches/batch_none/cancel")).status).toBe(404);
  });

  it("that is cancelled keeps what was answered", async () => {
    const file = await upload([
      line("one", { prompt: "a", max_tokens: 1 }),
      line("two", { prompt: "a", model: "slow" }),
    ]);
    const { id } = (await create(file)).json;
    const now = async () => (await ask("GET", `/v1/batches/${id}`)).json;
    await expect.poll(async () => (await now()).request_counts.completed).toBe(1);
    expect((await ask("POST", `/v1/openai/v1/batches/${id}/cancel`)).json.status).toBe("cancelled");
    await expect.poll(async () => (await now()).output_file_id).not.toBeNull();
    const kept = await content((await now()).output_file_id);
    expect(kept.map(({ custom_id }: { custom_id: string }) => custom_id)).toEqual(["one"]);
    expect(await now()).toMatchObject({ status: "cancelled", completed_at: null, error_file_id: null });
  });

  it("that has ended cannot be cancelled", async () => {
    const made = await create(await upload([line("one", { prompt: "a" })]));
    await ended(made.json.id);
    expect((await ask("POST", `/v1/batches/${made.json.id}/cancel`)).status).toBe(409);
  });

  it("is listed page by page, the newest first", async () => {
    const { json } = await ask("GET", "/v1/openai/v1/batches?limit=2");
    expect(json).toMatchObject({ object: "list", has_more: true, first_id: json.data[0].id });
    const next = (await ask("GET", `/v1/openai/v1/batches?limit=2&after=${json.last_id}`)).json;
    expect(next.data[0].id).not.toBe(json.last_id);
  });
});

describe("a line of a batch", () => {
  const codes = (text: string) => {
    const read = readBatchLine(text, 7, "/v1/chat/completions");
    return "faults" in read ? read.faults.map(({ code, param }) => `${code} ${param}`) : [];
  };
  const body = { model: "m", messages: [{ role: "user", content: "x" }] };
  const whole = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body };

  it.each([
    ["[]", ["invalid_request null"]],
    [JSON.stringify({ ...whole, custom_id: undefined }), ["missing_required_parameter custom_id"]],
    [JSON.stringify({ ...whole, method: "GET" }), ["invalid_request method"]],
    [JSON.stringify({ ...whole, body: { ...body, stream: true } }), ["streaming_unsupported body.stream"]],
    [
      JSON.stringify({ ...whole, body: { messages: body.messages } }),
      ["missing_required_parameter body.model"],
    ],
    [JSON.stringify({ ...whole, body: { ...body, messages: [] } }), ["invalid_request body.messages"]],
    [JSON.stringify(whole), []],
  ])("%s", (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });
});
