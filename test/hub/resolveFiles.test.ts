import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createRandom, silentLogger, systemClock } from "../../src/base/index.js";
import {
  type HubEnvironment,
  type HubProgress,
  type HubRequest,
  type HubSettings,
  resolveFiles,
} from "../../src/hub/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { cutAfter, FIRST_COMMIT, sha256, startHub } from "./fixtures/hubServer.js";

const root = temporaryFolder("hub");
const hub = await startHub();
const weights = randomBytes(3 * 2 ** 20);
let cacheFolder = "";
let caches = 0;

beforeEach(() => {
  cacheFolder = join(root, `cache${caches++}`);
  hub.files.clear();
  hub.files.set("config.json", Buffer.from('{"model_type":"tiny"}'));
  hub.files.set("model.safetensors", weights);
  hub.files.set("onnx/model.onnx", Buffer.from("onnx"));
  hub.large.clear();
  hub.large.add("model.safetensors");
  hub.listed.clear();
  hub.requests.length = 0;
  hub.tricks = [];
  hub.refuse = { times: 0, status: 500 };
  hub.commit = FIRST_COMMIT;
});

function randomBytes(length: number): Buffer {
  const random = createRandom(1, "hub");
  const words = Uint32Array.from({ length: length / 4 }, () => random.uint32());
  return Buffer.from(words.buffer);
}

function environment(
  settings: Partial<HubSettings> = {},
  more: Partial<HubEnvironment> = {},
): HubEnvironment {
  return {
    settings: {
      endpoint: hub.endpoint,
      offline: false,
      cacheFolder,
      attempts: 3,
      firstPause: 5,
      longestPause: 2_000,
      stallDeadline: 5_000,
      ...settings,
    },
    logger: silentLogger,
    clock: systemClock,
    ...more,
  };
}

const tiny: HubRequest = { kind: "model", name: "tiny/model" };
const failing = (code: string, message?: RegExp) =>
  expect.objectContaining({
    code,
    ...(message === undefined ? {} : { message: expect.stringMatching(message) }),
  });

describe("a local folder", () => {
  it("counts first and needs no network", async () => {
    const folder = join(root, "local");
    mkdirSync(join(folder, "sub"), { recursive: true });
    writeFileSync(join(folder, "config.json"), "{}");
    writeFileSync(join(folder, "sub/data.txt"), "x");
    const found = await resolveFiles(
      { ...tiny, name: folder },
      environment({ endpoint: "http://127.0.0.1:1" }),
    );
    expect(found).toMatchObject({ folder, source: "local", commit: undefined });
    expect([...found.files.keys()]).toEqual(["config.json", "sub/data.txt"]);
    expect(hub.requests).toEqual([]);
  });

  it("must have what is asked for, and must be there", async () => {
    const folder = join(root, "local");
    await expect(
      resolveFiles({ ...tiny, name: folder, files: ["nope.json"] }, environment()),
    ).rejects.toEqual(failing("HUB_NOT_FOUND", /lacks nope\.json/));
    await expect(resolveFiles({ ...tiny, name: join(root, "no") }, environment())).rejects.toEqual(
      failing("INPUT_UNREADABLE", /no folder/),
    );
  });
});

describe("names", () => {
  it.each(["../no-such-folder", "a/b/c", "a--b", "-a/b", "a/...", "", "a b", "http://x"])(
    "refuses the repository %j",
    async (name) => {
      const local = name === "" ? "  " : name;
      await expect(resolveFiles({ ...tiny, name: local }, environment())).rejects.toEqual(
        failing("INPUT_UNREADABLE"),
      );
    },
  );

  it.each(["../x", "/etc/passwd", "a/../b", "a//b", "a\\b", "c:x", "a\u0000b", "."])(
    "refuses the file %j",
    async (file) => {
      await expect(resolveFiles({ ...tiny, files: [file] }, environment())).rejects.toEqual(
        failing("INPUT_UNREADABLE"),
      );
      hub.files.set(file, Buffer.from("x"));
      await expect(resolveFiles(tiny, environment())).rejects.toEqual(failing("HUB_INVALID"));
    },
  );

  it("refuses revisions that lead elsewhere", async () => {
    for (const revision of ["../main", "a b", "", "/main"]) {
      await expect(resolveFiles({ ...tiny, revision }, environment())).rejects.toEqual(
        failing("INPUT_UNREADABLE"),
      );
    }
  });
});

describe("a repository", () => {
  it("is fetched, and laid out as Hugging Face's cache is", async () => {
    const found = await resolveFiles(tiny, environment());
    expect(found).toMatchObject({ source: "download", commit: FIRST_COMMIT });
    expect([...found.files.keys()]).toEqual(["config.json", "model.safetensors", "onnx/model.onnx"]);
    const folder = join(cacheFolder, "models--tiny--model");
    expect(readFileSync(join(folder, "refs/main"), "utf8")).toBe(FIRST_COMMIT);
    expect(readFileSync(join(folder, "blobs", sha256(weights))).equals(weights)).toBe(true);
    const placed = found.files.get("model.safetensors")!;
    expect(placed).toBe(join(folder, "snapshots", FIRST_COMMIT, "model.safetensors"));
    expect(lstatSync(placed).isSymbolicLink()).toBe(true);
    expect(readFileSync(placed).equals(weights)).toBe(true);
  });

  it("is taken from the cache without a question the second time", async () => {
    await resolveFiles(tiny, environment());
    const asked = hub.requests.length;
    for (const offline of [false, true]) {
      const found = await resolveFiles({ ...tiny, patterns: ["*.json"] }, environment({ offline }));
      expect(found).toMatchObject({ source: "cache", commit: FIRST_COMMIT });
      expect([...found.files.keys()]).toEqual(["config.json"]);
    }
    expect(hub.requests.length).toBe(asked);
  });

  it("stays at its commit until a refresh, and fetches only what changed", async () => {
    await resolveFiles(tiny, environment());
    hub.commit = "b".repeat(40);
    hub.files.set("config.json", Buffer.from('{"changed":true}'));
    expect((await resolveFiles(tiny, environment())).commit).toBe(FIRST_COMMIT);
    const before = hub.contentRequests();
    const fresh = await resolveFiles({ ...tiny, refresh: true }, environment());
    expect(fresh.commit).toBe("b".repeat(40));
    expect(hub.contentRequests() - before).toBe(1);
    expect(readFileSync(fresh.files.get("config.json")!, "utf8")).toBe('{"changed":true}');
    const old = await resolveFiles({ ...tiny, revision: FIRST_COMMIT }, environment({ offline: true }));
    expect(readFileSync(old.files.get("config.json")!, "utf8")).toBe('{"model_type":"tiny"}');
  });

  it("gives only the files that are asked for, and says which it lacks", async () => {
    const found = await resolveFiles(
      { ...tiny, files: ["config.json"], patterns: ["onnx/*", "*.txt"] },
      environment(),
    );
    expect([...found.files.keys()]).toEqual(["config.json", "onnx/model.onnx"]);
    await expect(resolveFiles({ ...tiny, files: ["vocab.txt"] }, environment())).rejects.toEqual(
      failing("HUB_NOT_FOUND", /has no vocab\.txt/),
    );
    await expect(
      resolveFiles({ ...tiny, files: ["model.safetensors"] }, environment({ offline: true })),
    ).rejects.toEqual(failing("HUB_NOT_FOUND", /lacks model\.safetensors/));
  });

  it("of another kind has another address and another place", async () => {
    await resolveFiles({ ...tiny, kind: "dataset", files: ["config.json"] }, environment());
    expect(hub.requests.map(({ path }) => path)).toEqual([
      "/api/datasets/tiny/model/revision/main?blobs=true",
      `/datasets/tiny/model/resolve/${FIRST_COMMIT}/config.json`,
    ]);
    expect(existsSync(join(cacheFolder, "datasets--tiny--model/refs/main"))).toBe(true);
  });

  it("is not asked for offline", async () => {
    await expect(resolveFiles(tiny, environment({ offline: true }))).rejects.toEqual(
      failing("HUB_NOT_FOUND", /not in the cache/),
    );
    expect(hub.requests).toEqual([]);
  });
});

describe("the token", () => {
  it("goes to the hub and to no other host", async () => {
    await resolveFiles({ ...tiny, files: ["model.safetensors"] }, environment({ token: "secret" }));
    const home = new URL(hub.endpoint).host;
    const [list, file, storage] = hub.requests;
    expect([list, file].map((each) => each?.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
    expect(storage?.host).not.toBe(home);
    expect(storage?.authorization).toBeUndefined();
  });
});

describe("answers of the hub", () => {
  it.each([
    [401, "HUB_REFUSED", /set HF_TOKEN/],
    [403, "HUB_REFUSED", /accept its conditions/],
    [404, "HUB_NOT_FOUND", /Check name, revision/],
    [418, "HUB_INVALID", /418/],
  ] as const)("%d is told at once, with what to do", async (status, code, message) => {
    hub.refuse = { times: 9, status };
    await expect(resolveFiles(tiny, environment())).rejects.toEqual(failing(code, message));
    expect(hub.requests).toHaveLength(1);
  });

  it("429 and 503 are waited for as long as they ask", async () => {
    hub.refuse = { times: 1, status: 429, retryAfter: "1" };
    const start = performance.now();
    await resolveFiles({ ...tiny, files: ["config.json"] }, environment());
    expect(performance.now() - start).toBeGreaterThan(900);
    hub.refuse = { times: 2, status: 503 };
    await resolveFiles({ ...tiny, files: ["config.json"], refresh: true }, environment());
  });

  it("a server that stays down is given up after so many attempts", async () => {
    hub.refuse = { times: 99, status: 500 };
    await expect(resolveFiles(tiny, environment())).rejects.toEqual(
      failing("HUB_UNREACHABLE", /3 times.*500/),
    );
    expect(hub.requests).toHaveLength(3);
  });

  it("a wait that is too long is not begun", async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    hub.refuse = { times: 99, status: 429, retryAfter: later };
    await expect(resolveFiles(tiny, environment())).rejects.toEqual(
      failing("HUB_UNREACHABLE", /asks to wait 3\d\d\d s/),
    );
    expect(hub.requests).toHaveLength(1);
  });

  it("no server at all is an error that says so", async () => {
    await expect(resolveFiles(tiny, environment({ endpoint: "http://127.0.0.1:1" }))).rejects.toEqual(
      failing("HUB_UNREACHABLE", /ECONNREFUSED|bad port/),
    );
  });

  it("a list that is none is refused", async () => {
    hub.commit = "not a commit";
    await expect(resolveFiles(tiny, environment())).rejects.toEqual(
      failing("HUB_INVALID", /check HF_ENDPOINT/),
    );
  });

  it("redirects without end or to other protocols are refused", async () => {
    const redirect = (location: string) => {
      hub.tricks = [(_, response) => Boolean(response.writeHead(302, { location }).end())];
    };
    redirect("file:///etc/passwd");
    await expect(resolveFiles({ ...tiny, files: ["config.json"] }, environment())).rejects.toEqual(
      failing("HUB_INVALID", /redirects to "file/),
    );
    redirect(`/tiny/model/resolve/${FIRST_COMMIT}/config.json`);
    await expect(resolveFiles({ ...tiny, files: ["config.json"] }, environment())).rejects.toEqual(
      failing("HUB_INVALID", /more than 10 redirects/),
    );
  });
});

describe("a transfer", () => {
  const model: HubRequest = { ...tiny, files: ["model.safetensors"] };
  const content = async (env = environment()) =>
    readFileSync((await resolveFiles(model, env)).files.get("model.safetensors")!);
  const ranges = () => hub.requests.flatMap(({ range }) => range ?? []);

  it("that is cut goes on where it ended", async () => {
    hub.tricks = [cutAfter(2 ** 20), cutAfter(2 ** 20), () => false];
    expect((await content()).equals(weights)).toBe(true);
    expect(ranges().length).toBeGreaterThanOrEqual(2);
  });

  it("that was stopped goes on in another process's place", async () => {
    const stop = new AbortController();
    const progress = ({ received }: HubProgress) => {
      if (received > 2 ** 20) stop.abort();
    };
    await expect(content(environment({}, { signal: stop.signal, progress }))).rejects.toEqual(
      failing("INTERRUPTED"),
    );
    expect((await content()).equals(weights)).toBe(true);
    expect(ranges().length).toBeGreaterThanOrEqual(1);
  });

  it("without ranges begins anew", async () => {
    hub.tricks = [
      cutAfter(2 ** 20),
      (_, response, bytes) => Boolean(response.writeHead(200, { "content-length": bytes.length }).end(bytes)),
    ];
    expect((await content()).equals(weights)).toBe(true);
  });

  it("that stalls is cut and taken up again", async () => {
    hub.tricks = [
      (_, response, bytes) => {
        response.writeHead(200, { "content-length": bytes.length });
        response.write(bytes.subarray(0, 1000));
        return true;
      },
      () => false,
    ];
    expect((await content(environment({ stallDeadline: 300 }))).equals(weights)).toBe(true);
  });

  it("that never comes further is given up", async () => {
    hub.tricks = [cutAfter(0)];
    await expect(content()).rejects.toEqual(failing("HUB_UNREACHABLE", /3 times/));
  });

  it("with another content is tried once more, then refused and not kept", async () => {
    const other = Buffer.from(weights);
    other[12345]! ^= 1;
    const wrong = (_: unknown, response: { end(bytes: Buffer): unknown }) => Boolean(response.end(other));
    hub.tricks = [wrong, () => false];
    expect((await content()).equals(weights)).toBe(true);
    cacheFolder = `${cacheFolder}-again`;
    hub.tricks = [wrong];
    await expect(content()).rejects.toEqual(failing("HUB_CORRUPT", /checksum .* Expected/));
    expect(readdirSync(join(cacheFolder, "models--tiny--model/blobs"))).toEqual([]);
  });

  it("that is longer or shorter than announced is refused", async () => {
    hub.tricks = [(_, response, bytes) => Boolean(response.end(Buffer.concat([bytes, bytes])))];
    await expect(content()).rejects.toEqual(failing("HUB_CORRUPT", /longer than/));
    hub.tricks = [(_, response, bytes) => Boolean(response.end(bytes.subarray(0, 5000)))];
    await expect(content()).rejects.toEqual(
      failing("HUB_UNREACHABLE", /ended after|no such range|another range|time/),
    );
  });

  it("of a small file is checked by git's checksum", async () => {
    hub.tricks = [(_, response) => Boolean(response.end('{"model_type":"evil"}'))];
    await expect(resolveFiles({ ...tiny, files: ["config.json"] }, environment())).rejects.toEqual(
      failing("HUB_CORRUPT"),
    );
  });

  it("tells how far it is", async () => {
    const told: HubProgress[] = [];
    await content(environment({}, { progress: (each) => told.push(each) }));
    expect(told.at(-1)).toEqual({
      file: "model.safetensors",
      received: weights.length,
      total: weights.length,
    });
    const received = told.map((each) => each.received);
    expect(received).toEqual([...received].sort((one, other) => one - other));
  });

  it("is done once by several at the same time", async () => {
    const before = hub.contentRequests();
    const all = await Promise.all(Array.from({ length: 4 }, () => content()));
    for (const each of all) expect(each.equals(weights)).toBe(true);
    expect(hub.contentRequests() - before).toBe(1);
  });

  it("takes over from a process that is gone", async () => {
    const locks = join(cacheFolder, "models--tiny--model/locks");
    mkdirSync(locks, { recursive: true });
    const lock = join(locks, `${sha256(weights)}.lock`);
    writeFileSync(lock, "1 gone");
    utimesSync(lock, new Date(0), new Date(0));
    expect((await content()).equals(weights)).toBe(true);
    expect(readdirSync(locks)).toEqual([]);
  });

  it("into a folder that cannot be written, or a full disk, says so", async () => {
    writeFileSync(cacheFolder, "a file where the cache should be");
    await expect(content()).rejects.toEqual(failing("PATH_UNWRITABLE", /HF_HUB_CACHE/));
    cacheFolder = `${cacheFolder}-huge`;
    hub.listed.set("model.safetensors", { size: Number.MAX_SAFE_INTEGER });
    await expect(content()).rejects.toEqual(failing("PATH_UNWRITABLE", /bytes free/));
  });
});
