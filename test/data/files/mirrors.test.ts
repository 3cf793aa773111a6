import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLogger, manualClock, systemClock } from "../../../src/base/index.js";
import { loadDatasource } from "../../../src/data/index.js";
import { loggedProgress } from "../../../src/hub/loggedProgress.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { dataTable } from "../dataTable.js";
import { mnistFiles } from "../images/idxFiles.js";

const root = temporaryFolder("mirrors");
const FILES = new Map([...mnistFiles()].map(([name, content]) => [`${name}.gz`, gzipSync(content)]));
const IMAGES = "train-images-idx3-ubyte.gz";
const sha256 = Object.fromEntries(
  [...FILES].map(([name, content]) => [name, createHash("sha256").update(content).digest("hex")]),
);

/** What a server does with a request for the training images, in order; the last stays. */
type Trick = (response: ServerResponse, content: Buffer, start: number) => void;
let tricks: Trick[] = [];
const requests: { path: string; range: string | undefined }[] = [];
const server = createServer((request, response) => {
  requests.push({ path: request.url!, range: request.headers.range });
  const name = request.url!.split("/").at(-1)!;
  const content = FILES.get(name);
  if (content === undefined || request.url!.startsWith("/empty/")) return void response.writeHead(404).end();
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const trick = tricks.length > 1 ? tricks.shift()! : tricks[0]!;
  (name === IMAGES && !request.url!.startsWith("/good/") ? trick : honest)(response, content, start);
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests.length = 0;
  tricks = [honest];
});

const honest: Trick = (response, content, start) => {
  headers(response, content, start).end(content.subarray(start));
};
/** Announces everything, sends some of it, and then either cuts the connection or falls silent. */
const part =
  (bytes: number, end: (response: ServerResponse) => void): Trick =>
  (response, content, start) => {
    headers(response, content, start).write(content.subarray(start, start + bytes), () =>
      setTimeout(() => end(response), 300),
    );
  };
const cut = (bytes: number) => part(bytes, (response) => response.destroy());
const stall = (bytes: number) => part(bytes, () => undefined);
/** Sends as many bytes, but others. */
const lie: Trick = (response, content, start) => {
  headers(response, content, start).end(Buffer.alloc(content.length - start, 7));
};

function headers(response: ServerResponse, content: Buffer, start: number): ServerResponse {
  const length = { "content-length": content.length - start };
  const range = { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` };
  return response.writeHead(start > 0 ? 206 : 200, start > 0 ? { ...length, ...range } : length);
}

function load(mirrors: string[], keys: object = { sha256 }) {
  const dataPath = mkdtempSync(join(root, "data-"));
  const lines: string[] = [];
  const hub = {
    settings: {
      endpoint: "http://hub.invalid",
      offline: false,
      cacheFolder: root,
      attempts: 3,
      firstPause: 1,
      stallDeadline: 400,
    },
    logger: createLogger("info", (line) => lines.push(line)),
    clock: systemClock,
  };
  const data = dataTable({
    datasource: "MNIST",
    mirrors: mirrors.map((each) => `${address}/${each}`),
    ...keys,
  });
  const source = loadDatasource(data, dataPath, { hub });
  return { source, dataPath, lines };
}

describe("files that are not here", () => {
  test("are reported on in the log while they come", () => {
    const lines: string[] = [];
    const clock = manualClock();
    const progress = loggedProgress({ logger: createLogger("info", (line) => lines.push(line)), clock });
    for (const received of [1e6, 2e6, 5e6, 6e6, 10e6]) {
      progress({ file: "images.gz", received, total: 10e6 });
      clock.advance(1_500);
    }
    // Every two seconds at most: 4 MB in 3 s leave 5 MB for 3.75 s.
    expect(lines).toEqual(["images.gz: 5.0 of 10.0 MB, 4 s left", "images.gz: 10.0 of 10.0 MB"]);
    lines.length = 0;
    progress({ file: "labels.gz", received: 10, total: 10 });
    expect(lines).toEqual([]);
  });

  test("are fetched from the mirror, kept where torchvision looks, and not fetched again", async () => {
    const { source, dataPath } = load(["a/"]);
    expect((await source).trainset.length).toBe(3);
    expect(readFileSync(join(dataPath, "MNIST/raw", IMAGES))).toEqual(FILES.get(IMAGES));
    expect(requests.map(({ path }) => path)).toEqual([...FILES.keys()].map((name) => `/a/${name}`));
    const again = await loadDatasource(
      dataTable({ datasource: "MNIST", mirrors: [`${address}/empty`] }),
      dataPath,
    );
    expect(again.trainset.length).toBe(3);
    expect(requests).toHaveLength(4);
  });

  test("are gone on with where a connection was cut, or fell silent", async () => {
    for (const trick of [cut(10), stall(10)]) {
      requests.length = 0;
      tricks = [trick, honest];
      expect((await load(["a"]).source).trainset.length).toBe(3);
      const ranges = requests.filter(({ path }) => path.endsWith(IMAGES)).map(({ range }) => range);
      expect(ranges).toEqual([undefined, "bytes=10-"]);
    }
  });

  test("are fetched anew where the content was another, once", async () => {
    tricks = [lie, honest];
    expect((await load(["a"]).source).trainset.length).toBe(3);
  });

  test("come from the next mirror where one has none, or lies", async () => {
    tricks = [lie];
    expect((await load(["empty", "liar", "good"]).source).trainset.length).toBe(3);
  });

  test("are refused, not kept, where every mirror lies, with what was found and expected", async () => {
    tricks = [lie];
    const { source, dataPath } = load(["liar"]);
    const found = createHash("sha256")
      .update(Buffer.alloc(FILES.get(IMAGES)!.length, 7))
      .digest("hex");
    await expect(source).rejects.toMatchObject({
      code: "HUB_CORRUPT",
      message: expect.stringMatching(
        new RegExp(`MNIST needs ${IMAGES}.*${found}.*Expected ${sha256[IMAGES]}.*data\\.mirrors`, "s"),
      ),
      details: { path: ["data", "mirrors"] },
    });
    expect(existsSync(join(dataPath, "MNIST/raw", IMAGES))).toBe(false);
  });

  test("of a name that is known must have the published content", async () => {
    await expect(load(["a"], {}).source).rejects.toThrow(
      /Expected 440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609/,
    );
  });

  test("that no mirror has are named with all mirrors", async () => {
    const { source } = load(["empty/one", "empty/two"]);
    await expect(source).rejects.toMatchObject({ code: "HUB_NOT_FOUND" });
    await expect(source).rejects.toThrow(
      /empty\/one\/train-images.*The server answered 404.*empty\/two\/train-images/s,
    );
  });

  test("need mirrors that are addresses", async () => {
    const data = dataTable({ datasource: "MNIST", mirrors: ["ftp://x"] });
    await expect(loadDatasource(data, root)).rejects.toThrow(/addresses of http or https/);
  });
});
