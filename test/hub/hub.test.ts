import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { silentLogger, systemClock } from "../../src/base/index.js";
import { asUnwritable } from "../../src/hub/downloadFile.js";
import { matchesPattern } from "../../src/hub/filePattern.js";
import { hubSettings, readShardIndex, resolveModelFiles } from "../../src/hub/index.js";
import { isSafePath } from "../../src/hub/safeNames.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { FIRST_COMMIT, startHub } from "./fixtures/hubServer.js";

const root = temporaryFolder("hub-parts");

describe("hubSettings", () => {
  it("reads the variables of Hugging Face's clients", () => {
    expect(hubSettings({})).toEqual({
      endpoint: "https://huggingface.co",
      token: undefined,
      offline: false,
      cacheFolder: join(homedir(), ".cache/huggingface/hub"),
    });
    expect(
      hubSettings({ HF_ENDPOINT: "http://mirror/hub/", HF_TOKEN: "t", HF_HUB_OFFLINE: "1", HF_HOME: "/h" }),
    ).toEqual({ endpoint: "http://mirror/hub", token: "t", offline: true, cacheFolder: "/h/hub" });
    expect(hubSettings({ HF_HUB_CACHE: "/c", HF_HOME: "/h" }).cacheFolder).toBe("/c");
    expect(hubSettings({ XDG_CACHE_HOME: "/x" }).cacheFolder).toBe("/x/huggingface/hub");
    expect(hubSettings({ HF_TOKEN: "t", HF_HUB_OFFLINE: "0" }, { token: "own", attempts: 2 })).toMatchObject({
      token: "own",
      offline: false,
      attempts: 2,
    });
  });

  it("refuses an endpoint that is no address", () => {
    for (const endpoint of ["mirror", "ftp://x"]) {
      expect(() => hubSettings({ HF_ENDPOINT: endpoint })).toThrow(
        expect.objectContaining({ code: "CONFIG_VALUE" }),
      );
    }
  });
});

describe("matchesPattern", () => {
  it.each([
    ["model.safetensors", "*.safetensors", true],
    ["a/b.json", "*.json", true],
    ["a.json", "?.json", true],
    ["ab.json", "?.json", false],
    ["b.txt", "[ab].txt", true],
    ["b.txt", "[!ab].txt", false],
    ["a.b", "a?b", true],
    ["axb", "a.b", false],
    ["a(1).txt", "a(1).*", true],
    ["[", "[", true],
    ["a\nb", "a*b", true],
  ])("%j against %j: %s", (path, pattern, expected) => {
    expect(matchesPattern(path, pattern)).toBe(expected);
  });

  it("takes any pattern, and a name without wildcards as itself", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (path, pattern) => {
        expect(matchesPattern(path, pattern)).toBeTypeOf("boolean");
        if (!/[*?[]/.test(path)) expect(matchesPattern(path, path)).toBe(true);
      }),
    );
  });
});

describe("isSafePath", () => {
  it("lets nothing out of its folder", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a./\\:~\u0000 "), maxLength: 12 }), (path) => {
        if (!isSafePath(path)) return;
        const joined = join("/cache/snapshot", path);
        expect(joined.startsWith("/cache/snapshot/")).toBe(true);
        expect(joined).toBe(`/cache/snapshot/${path}`);
      }),
      { numRuns: 500 },
    );
  });
});

describe("errors of the file system", () => {
  it("say that the disk is full, and leave others as they are", () => {
    const full = Object.assign(new Error("ENOSPC: no space"), { code: "ENOSPC" });
    expect(asUnwritable(full, "/c/x")).toMatchObject({ code: "PATH_UNWRITABLE", message: /disk is full/ });
    const other = Object.assign(new Error("EIO"), { code: "EIO" });
    expect(asUnwritable(other, "/c/x")).toBe(other);
  });
});

describe("resolveModelFiles", async () => {
  const hub = await startHub();
  const environment = (name: string) => ({
    settings: { endpoint: hub.endpoint, offline: false, cacheFolder: join(root, name), attempts: 1 },
    logger: silentLogger,
    clock: systemClock,
  });
  const index = {
    metadata: {},
    weight_map: { b: "model-2.safetensors", a: "model-1.safetensors", c: "model-1.safetensors" },
  };

  it("takes the shards that the index names, and nothing else that is large", async () => {
    hub.files.set("config.json", Buffer.from("{}"));
    hub.files.set("tokenizer.json", Buffer.from("{}"));
    hub.files.set("pytorch_model.bin", Buffer.from("pickle"));
    hub.files.set("consolidated.safetensors", Buffer.from("x"));
    hub.files.set("model-1.safetensors", Buffer.from("one"));
    hub.files.set("model-2.safetensors", Buffer.from("two"));
    hub.files.set("model.safetensors.index.json", Buffer.from(JSON.stringify(index)));
    const found = await resolveModelFiles({ name: "tiny/model" }, environment("sharded"));
    expect(found).toMatchObject({ source: "download", commit: FIRST_COMMIT });
    expect(found.weights.map((path) => path.split("/").at(-1))).toEqual([
      "model-1.safetensors",
      "model-2.safetensors",
    ]);
    expect([...found.files.keys()].sort()).toEqual([
      "config.json",
      "model-1.safetensors",
      "model-2.safetensors",
      "model.safetensors.index.json",
      "tokenizer.json",
    ]);
    expect((await resolveModelFiles({ name: "tiny/model" }, environment("sharded"))).source).toBe("cache");
  });

  it("takes one file where there is no index, and says when there are no safetensors", async () => {
    hub.files.delete("model.safetensors.index.json");
    await expect(resolveModelFiles({ name: "tiny/model" }, environment("none"))).rejects.toMatchObject({
      code: "HUB_NOT_FOUND",
      message: expect.stringContaining("model.safetensors"),
    });
    hub.files.set("model.safetensors", Buffer.from("all"));
    const found = await resolveModelFiles({ name: "tiny/model" }, environment("one"));
    expect(found.weights).toEqual([join(found.folder, "model.safetensors")]);
  });

  it("reads a local folder alike", async () => {
    const folder = join(root, "local-model");
    mkdirSync(folder);
    writeFileSync(join(folder, "config.json"), "{}");
    writeFileSync(join(folder, "model.safetensors"), "x");
    const found = await resolveModelFiles({ name: folder }, environment("unused"));
    expect(found).toMatchObject({ source: "local", weights: [join(folder, "model.safetensors")] });
  });
});

describe("readShardIndex", () => {
  it.each([
    "",
    "[]",
    "{}",
    '{"weight_map":{}}',
    '{"weight_map":{"a":"../x.safetensors"}}',
    '{"weight_map":{"a":"x.bin"}}',
  ])("refuses %j", async (text) => {
    const path = join(root, "index.json");
    writeFileSync(path, text);
    await expect(readShardIndex(path)).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
  });
});
