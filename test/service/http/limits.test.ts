import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { jobRoutes, ServiceClient } from "../../../src/api/index.js";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { serviceContext } from "../../../src/service/http/serviceContext.js";
import { startService } from "../../../src/service/http/startService.js";
import { startJobs } from "../../../src/service/startJobs.js";
import { testService } from "../support/testService.js";

/** Never answers before it is told to stop. */
const slow = new ScriptedLanguageModel({ name: "slow" });
let stopped = 0;
slow.generate = async (_, { signal } = {}) => {
  await sleep(60_000, undefined, { ...(signal && { signal }) }).catch(() => {});
  stopped += 1;
  signal?.throwIfAborted();
  return [];
};
const { app, ask, context } = await testService({
  models: { slow },
  set: ["max_body_bytes=2000", "max_upload_bytes=1000", "port=0"],
});
const raw = async (body: string, type: string) => {
  const reply = await app.inject({
    method: "POST",
    url: "/v1/scoring/score",
    headers: { host: "localhost", "content-type": type },
    payload: body,
  });
  return { status: reply.statusCode, error: reply.json().error };
};
const form = (bytes: number, fields: string) =>
  `--b\r\n${fields}content-disposition: form-data; name="file"; filename="a/../x.csv"\r\n\r\n${"x".repeat(bytes)}\r\n--b--\r\n`;
const PURPOSE = 'content-disposition: form-data; name="purpose"\r\n\r\neval\r\n--b\r\n';
const upload = (payload: string) =>
  app.inject({
    method: "POST",
    url: "/v1/files",
    headers: { host: "localhost", "content-type": "multipart/form-data; boundary=b" },
    payload,
  });

describe("a request", () => {
  it.each([
    ["x".repeat(3000), "application/json", 413, "LIMIT_EXCEEDED", /service\.max_body_bytes/],
    ["{", "application/json", 400, "REQUEST_INVALID", /is not JSON/],
    ['{"__proto__": {"a": 1}}', "application/json", 400, "REQUEST_INVALID", /"__proto__"/],
    ["a=1", "application/x-www-form-urlencoded", 415, "REQUEST_INVALID", /application\/json/],
  ])("%.20s as %s is refused, and is told why", async (body, type, status, code, why) => {
    const reply = await raw(body, type);
    expect([reply.status, reply.error.code]).toEqual([status, code]);
    expect(reply.error.message).toMatch(why);
  });

  it("of an address that cannot be decoded has the same error as all others", async () => {
    const { status, json } = await ask("GET", "/v1/datasets/%ff");
    expect([status, json.error.code, json.error.type]).toEqual([
      400,
      "REQUEST_INVALID",
      "invalid_request_error",
    ]);
  });

  it("is not sent back whole where it is wrong", async () => {
    const long = await ask("POST", "/datasets/create", {
      dataset_def: { type: "custom", identifier: "n".repeat(1500), url: "data:,x" },
    });
    expect(long.text.length).toBeLessThan(1500);
  });

  it("that does not come to its end is given up", async () => {
    const hasty = await testService({ set: ["request_timeout=0.5"] });
    const address = new URL(await hasty.app.listen({ host: "127.0.0.1", port: 0 }));
    const socket = connect(Number(address.port), address.hostname);
    socket.write("POST /v1/scoring/score HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
    socket.write("content-length: 100\r\n\r\n{");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await hasty.app.close();
  });

  it("that takes too long is told so, and its work stops", async () => {
    const hasty = await testService({ models: { slow }, set: ["request_timeout=0.3"] });
    const { status, json } = await hasty.ask("POST", "/v1/completions", { model: "slow", prompt: "a" });
    expect([status, json.error.code, json.error.type]).toEqual([504, "DEADLINE_EXCEEDED", "timeout_error"]);
    await expect.poll(() => stopped).toBe(1);
  });
});

describe("an upload", () => {
  it("keeps the end of a name alone, and nothing of a file that is too large", async () => {
    const kept = await upload(form(500, PURPOSE));
    expect(kept.json()).toMatchObject({ filename: "x.csv", bytes: 500, purpose: "eval" });
    const large = await upload(form(1500, PURPOSE));
    expect([large.statusCode, large.json().error.code]).toEqual([413, "LIMIT_EXCEEDED"]);
    expect((await ask("GET", "/v1/files")).json.data).toHaveLength(1);
  });

  it("says what it is for", async () => {
    const silent = await upload(form(10, ""));
    expect(silent.json().error).toMatchObject({ code: "REQUEST_INVALID", param: "purpose" });
    expect((await ask("GET", "/v1/files")).json.data).toHaveLength(1);
    expect((await ask("POST", "/v1/files", {})).status).toBe(400);
  });
});

it("a service that stops ends its streams, and lets go of its jobs", async () => {
  const jobs = await startJobs(context);
  const service = await startService(serviceContext(context, jobs));
  const client = new ServiceClient({ url: service.url, timeout: 20_000 });
  const dataset_def = { type: "custom", identifier: "one", url: "data:text/csv,question%0Awhy" };
  await ask("POST", "/datasets/create", { dataset_def });
  const { job_id } = (await ask("POST", "/evals/job/create", { model: "slow", dataset: "one", task: "chat" }))
    .json;
  const events = client.events(jobRoutes.logs, { params: { job_id }, query: {} });
  await events.next();
  await service.close();
  for await (const _ of events);
  await expect(client.call(jobRoutes.list, {})).rejects.toMatchObject({ code: "SERVICE_UNREACHABLE" });
  await jobs.close();
});
