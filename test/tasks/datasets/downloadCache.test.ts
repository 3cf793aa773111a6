import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { datasetDefinitionSchema, datasetOf } from "../../../src/tasks/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

let asked: { url: string; version: string | undefined; sent: boolean }[] = [];
let version = "one";
const server = createServer(({ url = "", headers }, response) => {
  const known = headers["if-none-match"];
  const sent = url === "/plain.csv" || known !== `"${version}"`;
  asked.push({ url, version: known, sent });
  if (!sent) response.writeHead(304).end();
  else if (url === "/plain.csv") response.end("q\nplain\n");
  else
    response
      .setHeader("etag", `"${version}"`)
      .end(`q\n${version}${url === "/large.csv" ? "x".repeat(80) : ""}\n`);
});
await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
afterAll(() => void server.close());
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = temporaryFolder("downloads");

async function load(path: string, bytes = 100) {
  const definition = datasetDefinitionSchema.parse({ type: "custom", identifier: "d", url: base + path });
  const surroundings = { download: { allowPrivate: true }, cache: { folder, bytes } };
  return (await datasetOf(definition, surroundings).load()).map(({ data }) => data.q);
}

it("a file that its server has a version of is fetched once, and again when it has changed", async () => {
  expect(await load("/a.csv")).toEqual(["one"]);
  expect(await load("/a.csv")).toEqual(["one"]);
  version = "two";
  expect(await load("/a.csv")).toEqual(["two"]);
  expect(await load("/a.csv")).toEqual(["two"]);
  expect(asked.map(({ version: known, sent }) => [known, sent])).toEqual([
    [undefined, true],
    ['"one"', false],
    ['"one"', true],
    ['"two"', false],
  ]);
});

it("a file without a version, or larger than all may be, is not kept", async () => {
  asked = [];
  for (const path of ["/plain.csv", "/plain.csv", "/large.csv", "/large.csv"]) await load(path, 60);
  expect(asked.map(({ sent }) => sent)).toEqual([true, true, true, true]);
});

it("those used longest ago make room", async () => {
  for (const path of ["/b.csv", "/c.csv", "/large.csv"]) await load(path);
  expect(readdirSync(folder).filter((name) => name.endsWith(".table")).length).toBeLessThan(4);
  asked = [];
  expect(await load("/large.csv")).toEqual([`two${"x".repeat(80)}`]);
  expect(asked).toMatchObject([{ sent: false }]);
  expect(readdirSync(folder).filter((name) => !/\.(table|json)$/.test(name))).toEqual([]);
});
