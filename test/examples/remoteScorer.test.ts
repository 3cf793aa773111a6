import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RemoteScorer } from "../../examples/remote-scorer.js";
import { datasetOf, outcomeOf, predicting } from "../evaluators/suites/predictions.js";

/** What the scorer does with the next request. */
let answer: (body: { labels: number[] }, request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let url: string;
const bodies: { round: number; labels: number[]; outputs: number[]; width: number }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    bodies.push(body);
    answer(body, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/score`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const evaluate = (options: object) =>
  outcomeOf("remote_scorer", {
    testset: datasetOf(new Int32Array([1, 0, 1]), 2),
    trainer: predicting([0, 1, 1, 0, 1, 0], 2),
    options: { url, ...options },
  });
const says = (value: unknown) => () => {
  answer = (_, __, response) => response.end(JSON.stringify(value));
};

describe("the example that asks a remote scorer", () => {
  it("sends outputs and labels, and records the judgement", async () => {
    answer = (body, _, response) => response.end(JSON.stringify({ score: 0.5, judged: body.labels.length }));
    const outcome = await evaluate({ rows: 2 });
    expect(bodies.at(-1)).toEqual({ round: 0, width: 2, outputs: [0, 1, 1, 0], labels: [1, 0] });
    expect(outcome).toMatchObject({
      status: "ok",
      primaryHigherIsBetter: true,
      result: { metrics: { remote_score: 0.5 }, metadata: { url, asked: 2 } },
    });
  });

  it("is partial where the scorer judged only some", async () => {
    says({ score: 1, judged: 1 })();
    expect(await evaluate({})).toMatchObject({ status: "partial", reason: "used 1 of 3 examples" });
  });

  it.each<[string, () => void, string]>([
    ["an error status", () => (answer = (_, __, response) => response.writeHead(503).end()), "answered 503"],
    ["an answer of another form", says({ score: "good" }), "score"],
    ["a broken connection", () => (answer = (_, request) => request.socket.destroy()), "fetch failed"],
  ])("fails on %s", async (_, prepare, reason) => {
    prepare();
    const outcome = await evaluate({});
    expect(outcome.status).toBe("failed");
    expect(outcome.reason).toContain(reason);
  });

  it("closes the connection when the evaluation's timeout is over", async () => {
    let closed: Promise<unknown> | undefined;
    answer = (_, request) => {
      closed = once(request.socket, "close");
    };
    expect((await evaluate({ timeout: 0.2 })).status).toBe("timeout");
    await closed;
    expect(closed).toBeDefined();
  });

  it("fails when one request takes too long", async () => {
    answer = () => {};
    const outcome = await evaluate({ request_timeout: 0.05 });
    expect(outcome).toMatchObject({ status: "failed", reason: expect.stringContaining("timeout") });
  });

  it("is skipped without anything to predict on", async () => {
    expect((await outcomeOf("remote_scorer", { options: { url } })).status).toBe("skipped");
  });

  it("says what it measures, and refuses a table without an address", async () => {
    expect(RemoteScorer.metrics.remote_score.higherIsBetter).toBe(true);
    expect((await evaluate({ url: "here" })).error?.code).toBe("EVALUATION_CONFIG");
  });
});
