import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { createLogger } from "../../../src/base/index.js";
import { datasetDefinitionSchema, datasetOf } from "../../../src/tasks/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

/** Waited for before a file gets its name. */
let beforeRename: ((to: string) => Promise<void> | void) | undefined;
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const rename: typeof real.rename = async (from, to) => {
    await beforeRename?.(String(to));
    await real.rename(from, to);
  };
  return { ...real, rename };
});
afterEach(() => {
  beforeRename = undefined;
});

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
const others = temporaryFolder("more-downloads");
const warned: string[] = [];
const logger = createLogger("warn", (line) => warned.push(line));

async function load(path: string, bytes = 100, into = folder) {
  const definition = datasetDefinitionSchema.parse({ type: "custom", identifier: "d", url: base + path });
  const surroundings = { download: { allowPrivate: true }, cache: { folder: into, bytes, logger } };
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

it("two downloads at once of two versions never leave one under the name of the other", async () => {
  const own = join(others, "raced");
  let [arrive, go] = [() => {}, () => {}];
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const gone = new Promise<void>((resolve) => (go = resolve));
  beforeRename = (to) => {
    if (!to.endsWith(".json")) return;
    beforeRename = undefined;
    arrive();
    return gone;
  };
  version = "two";
  const slow = load("/raced.csv", 100, own);
  await arrived;
  version = "one";
  expect(await load("/raced.csv", 100, own)).toEqual(["one"]);
  go();
  expect(await slow).toEqual(["two"]);
  version = "two";
  expect(await load("/raced.csv", 100, own)).toEqual(["two"]);
  expect(await load("/raced.csv", 100, own)).toEqual(["two"]);
});

it("what cannot be kept was fetched all the same, and leaves nothing half", async () => {
  const taken = join(others, "taken");
  writeFileSync(taken, "a file");
  expect(await load("/a.csv", 100, taken)).toEqual([version]);
  expect(warned.splice(0)).toEqual([expect.stringMatching(/taken cannot keep what was fetched: /)]);
  const full = join(others, "full");
  beforeRename = (to) => {
    if (to.endsWith(".table")) throw new Error("ENOSPC: no space left");
  };
  expect(await load("/a.csv", 100, full)).toEqual([version]);
  expect(warned.splice(0)).toEqual([expect.stringContaining("ENOSPC")]);
  expect(readdirSync(full)).toEqual([]);
});

it("what a killed process left half is swept, and what another is writing counts", async () => {
  const own = join(others, "partial");
  mkdirSync(own);
  const long = new Date(Date.now() - 7_200_000);
  writeFileSync(join(own, "left.part"), "x".repeat(90));
  utimesSync(join(own, "left.part"), long, long);
  await load("/a.csv", 100, own);
  expect(readdirSync(own).filter((name) => !/\.(table|json)$/.test(name))).toEqual([]);
  writeFileSync(join(own, "written.part"), "x".repeat(98));
  await load("/b.csv", 100, own);
  expect(readdirSync(own)).toEqual(["written.part"]);
});
