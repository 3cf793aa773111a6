import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Checkpoint,
  checkpointPath,
  clearCheckpoints,
  listCheckpoints,
  newestCheckpoint,
  pruneCheckpoints,
  readCheckpoint,
  readCheckpointHeader,
  readCheckpointWeights,
  readSafetensors,
  type Score,
  type WeightArray,
  weightsDigest,
  writeCheckpoint,
  writeSafetensors,
} from "../../src/weights/index.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-checkpoint-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a checkpoint", () => {
  it("gives back all it was given", async () => {
    const written = checkpoint({
      state: new Map<string, unknown>([
        ["momentum", new Float32Array([1.5, -0])],
        ["seen", new Set([1, 2])],
        ["nested", { list: [Number.NaN, 2n, new Date(5)], __proto__: null }],
      ]),
    });
    const { path, sha256, dropped } = await writeCheckpoint(join(folder, "run-1"), written);
    expect(path).toBe(join(folder, "run-1", "checkpoint_3.safetensors"));
    expect(dropped).toEqual([]);
    expect(sha256).toBe(weightsDigest(written.weights));

    const read = await readCheckpoint(path);
    expect(read).toEqual({ ...written, weightsSha256: sha256 });
    expect([...read.weights.keys()]).toEqual(["w", "10", "2", "empty", "labels"]);
    expect(Object.is((read.state.get("momentum") as Float32Array)[1], -0)).toBe(true);
    expect(Object.is((read.row as { accuracy: number }).accuracy, -0)).toBe(true);
    expect(await readdir(join(folder, "run-1"))).toEqual(["checkpoint_3.safetensors"]);
  });

  it("drops what cannot be cloned and says so", async () => {
    const state = new Map<string, unknown>([
      ["good", 1],
      ["callback", () => 1],
      ["deep", { inner: [Symbol("x")] }],
    ]);
    const { path, dropped } = await writeCheckpoint(folder, checkpoint({ state }));
    expect(dropped).toEqual(["callback", "deep"]);
    expect((await readCheckpoint(path)).state).toEqual(new Map([["good", 1]]));
    await expect(writeCheckpoint(folder, checkpoint({ row: () => 1 }))).rejects.toThrow(
      "could not be cloned",
    );
  });

  it("opens without its state, and header alone", async () => {
    const { path } = await writeCheckpoint(folder, checkpoint());
    const { weights, ...header } = await readCheckpointWeights(path);
    expect(weights).toEqual(checkpoint().weights);
    expect(header).toEqual(await readCheckpointHeader(path));
    expect(header).toMatchObject({
      runId: "run-1",
      model: "lenet5",
      round: 3,
      clocks: { elapsed_time: 0.1 },
    });
    expect("state" in header).toBe(false);
  });

  it("keeps a scalar that is no number as one that is never best", async () => {
    const scalar = { metric: "accuracy", value: Number.POSITIVE_INFINITY, higherIsBetter: true };
    const { path } = await writeCheckpoint(folder, checkpoint({ scalar, primary: null }));
    expect(await readCheckpointHeader(path)).toMatchObject({
      scalar: { ...scalar, value: Number.NaN },
      primary: null,
    });
  });

  it("is not written with facts that could not be read back", async () => {
    for (const changes of [{ clocks: { elapsed_time: Number.NaN } }, { round: -1 }, { runId: "" }]) {
      await expect(writeCheckpoint(folder, checkpoint(changes))).rejects.toThrow();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it("refuses arrays that bear its own name", async () => {
    const weights = new Map([["__elenchus__", uint8(1)]]);
    await expect(writeCheckpoint(folder, checkpoint({ weights }))).rejects.toMatchObject({
      code: "WEIGHTS_INVALID",
    });
  });

  it("is refused, with the file's name, when any byte of weights, row or state was changed", async () => {
    const { path } = await writeCheckpoint(folder, checkpoint());
    const good = await readFile(path);
    const start = 8 + Number(good.readBigUInt64LE());
    for (const at of [start, good.length - 1]) {
      const bad = Buffer.from(good);
      bad[at]! ^= 1;
      await writeFile(path, bad);
      await expect(readCheckpoint(path)).rejects.toMatchObject({
        code: "CHECKPOINT_INVALID",
        details: { file: path },
      });
    }
  });

  it("is refused when it is no checkpoint, of another schema, or with faulty metadata", async () => {
    const { path } = await writeCheckpoint(folder, checkpoint());
    const { arrays, metadata } = await readSafetensors(path);
    const header = JSON.parse(metadata.get("elenchus")!);
    const reading = async (metadata: Map<string, string>) => {
      await writeSafetensors(path, { arrays, metadata });
      return expect(readCheckpointHeader(path)).rejects;
    };
    const withHeader = (changes: object) =>
      new Map([["elenchus", JSON.stringify({ ...header, ...changes })]]);

    await (await reading(new Map())).toThrow("no checkpoint");
    await (await reading(new Map([["elenchus", "{"]]))).toThrow("not JSON");
    await (await reading(withHeader({ schema: 2 }))).toThrow("schema");
    await (await reading(withHeader({ round: -1 }))).toThrow("round");
    await (await reading(withHeader({ random: { selection: [1, 2, 3, 2 ** 32] } }))).toThrow("random");
    await expect(readCheckpointHeader(join(folder, "none"))).rejects.toThrow("cannot be opened");
    await expect(readCheckpointHeader(folder)).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
  });

  it("is refused when its row and state are sound bytes of something else", async () => {
    const { path } = await writeCheckpoint(folder, checkpoint());
    const { arrays, metadata } = await readSafetensors(path);
    const values = uint8(255, 255, 0);
    const { createHash } = await import("node:crypto");
    const header = {
      ...JSON.parse(metadata.get("elenchus")!),
      values_sha256: createHash("sha256").update(values.data).digest("hex"),
    };
    await writeSafetensors(path, {
      arrays: new Map([...arrays, ["__elenchus__", values]]),
      metadata: new Map([["elenchus", JSON.stringify(header)]]),
    });
    await expect(readCheckpoint(path)).rejects.toThrow("row and state cannot be read");
    expect((await readCheckpointWeights(path)).round).toBe(3);
  });
});

describe("the folder of checkpoints", () => {
  it("knows its rounds as numbers, and the newest", async () => {
    expect(await listCheckpoints(join(folder, "none"))).toEqual([]);
    expect(await newestCheckpoint(folder)).toBeNull();
    for (const round of [10, 9, 0]) await writeCheckpoint(folder, checkpoint({ round }));
    await writeFile(join(folder, "checkpoint_x.safetensors"), "");
    await writeFile(join(folder, "notes.txt"), "");
    expect((await listCheckpoints(folder)).map(({ round }) => round)).toEqual([0, 9, 10]);
    expect(await newestCheckpoint(folder)).toEqual({ round: 10, path: checkpointPath(folder, 10) });
    await expect(listCheckpoints(join(folder, "notes.txt"))).rejects.toThrow("ENOTDIR");
  });

  it("keeps the newest, the protected, the best by scalar and the best by primary metric", async () => {
    const scalars = [0.5, 0.9, 0.9, 0.1, 0.2, 0.3, Number.NaN, 0.4];
    const losses = [3, 2, 2, 1, 5, 6, 7, 8];
    for (const [round, value] of scalars.entries()) {
      await writeCheckpoint(
        folder,
        checkpoint({ round, scalar: score(value, true), primary: score(losses[round]!, false) }),
      );
    }
    await writeFile(join(folder, ".checkpoint_8.safetensors.0123456789ab.tmp"), "torn");
    expect(await pruneCheckpoints(folder, { keep: 2, protect: [4] })).toEqual([0, 2, 5]);
    expect((await readdir(folder)).sort()).toEqual(
      [1, 3, 4, 6, 7].map((round) => `checkpoint_${round}.safetensors`),
    );
    expect(await pruneCheckpoints(folder, { keep: 2 })).toEqual([4]);
  });

  it("does not take a metric without direction, or a torn file, for the best", async () => {
    for (const round of [1, 2, 3, 4]) {
      await writeCheckpoint(folder, checkpoint({ round, scalar: score(9 - round, null), primary: null }));
    }
    await writeFile(checkpointPath(folder, 2), "torn");
    expect(await pruneCheckpoints(folder, { keep: 1 })).toEqual([1, 2, 3]);
    expect(await pruneCheckpoints(folder, { keep: 1 })).toEqual([]);
    expect(await pruneCheckpoints(join(folder, "none"), { keep: 1 })).toEqual([]);
  });

  it("can be cleared of what an earlier run left: its checkpoints and its clients' states", async () => {
    const temporary = (name: string) => `.${name}.0123456789ab.tmp`;
    await writeCheckpoint(folder, checkpoint());
    for (const client of ["1", "12", "13"]) {
      await mkdir(join(folder, client));
      for (const state of ["2.state", "10.state", temporary("11.state")]) {
        await writeFile(join(folder, client, state), "");
      }
    }
    await writeFile(join(folder, temporary("checkpoint_4.safetensors")), "");
    // Not of a run.
    await writeFile(join(folder, "notes.txt"), "");
    await writeFile(join(folder, "2026"), "");
    await writeFile(join(folder, "13", "mine.md"), "");
    await mkdir(join(folder, "plots"));

    await clearCheckpoints(folder);
    await clearCheckpoints(join(folder, "none"));
    expect((await readdir(folder, { recursive: true })).sort()).toEqual([
      "13",
      join("13", "mine.md"),
      "2026",
      "notes.txt",
      "plots",
    ]);
  });
});

function checkpoint(changes: Partial<Checkpoint> = {}): Checkpoint {
  return {
    runId: "run-1",
    model: "lenet5",
    round: 3,
    weights: new Map<string, WeightArray>([
      ["w", { dtype: "float32", shape: [2, 2], data: new Float32Array([1, -0, 0.1, Number.NaN]) }],
      ["10", { dtype: "int32", shape: [], data: new Int32Array([-7]) }],
      ["2", uint8(1, 2, 3)],
      ["empty", { dtype: "float32", shape: [0, 5], data: new Float32Array(0) }],
      ["labels", { dtype: "int32", shape: [1], data: new Int32Array([9, 8]).subarray(1) }],
    ]),
    row: { round: 3, accuracy: -0 },
    state: new Map(),
    random: { selection: [1, 2, 3, 2 ** 32 - 1] },
    clocks: { elapsed_time: 0.1 },
    scalar: score(0.75, true),
    primary: score(1.25, false),
    ...changes,
  };
}

function uint8(...values: number[]): WeightArray & { data: Uint8Array } {
  return { dtype: "uint8", shape: [values.length], data: new Uint8Array(values) };
}

function score(value: number, higherIsBetter: boolean | null): Score {
  return { metric: "m", value, higherIsBetter };
}
