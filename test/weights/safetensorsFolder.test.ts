import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import { openSafetensors, type WeightArray, writeSafetensors } from "../../src/weights/index.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-model-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const array = (...values: number[]): WeightArray => ({
  dtype: "float32",
  shape: [values.length],
  data: Float32Array.from(values),
});
const write = (file: string, arrays: Record<string, WeightArray>) =>
  writeSafetensors(join(folder, file), { arrays: new Map(Object.entries(arrays)), metadata: new Map() });
const index = (map: unknown) =>
  writeFile(join(folder, "model.safetensors.index.json"), JSON.stringify({ metadata: {}, weight_map: map }));

async function all(path = folder, wanted?: (name: string) => boolean): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  const files = await openSafetensors(path);
  await files.read((name, { data }) => {
    found[name] = [...data];
  }, wanted);
  return found;
}

describe("the weights of a published model", () => {
  it("are read from one file", async () => {
    await write("model.safetensors", { a: array(1, 2), b: array(3) });
    expect(await all()).toEqual({ a: [1, 2], b: [3] });
    expect(await all(join(folder, "model.safetensors"))).toEqual({ a: [1, 2], b: [3] });
    expect(await all(folder, (name) => name === "b")).toEqual({ b: [3] });
    expect([...(await openSafetensors(folder)).shapes]).toEqual([
      ["a", [2]],
      ["b", [1]],
    ]);
  });

  it("are read from the files that an index names, and from nowhere else", async () => {
    await write("model-1.safetensors", { a: array(1), spare: array(9) });
    await write("model-2.safetensors", { a: array(8), b: array(2) });
    await index({ a: "model-1.safetensors", b: "model-2.safetensors" });
    expect(await all()).toEqual({ a: [1], b: [2] });
    expect(await all(join(folder, "model.safetensors.index.json"))).toEqual({ a: [1], b: [2] });
  });

  it("are refused when an array is not where the index has it", async () => {
    await write("model-1.safetensors", { a: array(1) });
    await index({ a: "model-1.safetensors", b: "model-1.safetensors" });
    await expect(openSafetensors(folder)).rejects.toMatchObject({
      code: "CHECKPOINT_INVALID",
      message: expect.stringMatching(/model-1\.safetensors: the array "b" is not here/),
    });
    await index({ a: "model-3.safetensors" });
    await expect(openSafetensors(folder)).rejects.toThrow(/model-3\.safetensors: the file cannot be opened/);
  });

  it.each([
    ["another folder", { a: "../model.safetensors" }],
    ["another folder of Windows", { a: "..\\model.safetensors" }],
    ["an absolute path", { a: "/etc/model.safetensors" }],
    ["a hidden file", { a: ".model.safetensors" }],
    ["a file of another kind", { a: "model.bin" }],
    ["a number", { a: 1 }],
  ])("are refused when the index names %s", async (_, map) => {
    await index(map);
    await expect(openSafetensors(folder)).rejects.toMatchObject({
      code: "CHECKPOINT_INVALID",
      message: expect.stringMatching(/the index has faults/),
    });
  });

  it("are refused where there are none, and where the index is no JSON", async () => {
    await expect(openSafetensors(folder)).rejects.toThrow(
      /neither model.safetensors nor model.safetensors.index.json/,
    );
    await writeFile(join(folder, "model.safetensors.index.json"), "{");
    await expect(openSafetensors(folder)).rejects.toThrow(/the index cannot be read/);
  });

  it("are opened or refused, never anything else, whatever the index says", async () => {
    await write("m.safetensors", { a: array(1) });
    const value = fc.oneof(fc.constant("m.safetensors"), fc.string(), fc.json(), fc.integer());
    const anyIndex = fc.oneof(
      fc.dictionary(fc.oneof(fc.constant("a"), fc.string()), value).map((map) => ({ weight_map: map })),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(anyIndex, async (content) => {
        await writeFile(join(folder, "model.safetensors.index.json"), JSON.stringify(content));
        try {
          for (const name of Object.keys(await all())) expect(name).toBe("a");
        } catch (error) {
          expect(error).toBeInstanceOf(ElenchusError);
          expect(error).toMatchObject({ code: "CHECKPOINT_INVALID" });
        }
      }),
      { numRuns: 200 },
    );
  });
});
