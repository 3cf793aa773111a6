import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkConfig, loadConfigObject } from "../../src/config/index.js";
import { lineOf, smallCatalog, validToml } from "./support/catalog.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes files and checks the first. */
function check(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return checkConfig({ path: join(folder, Object.keys(files)[0]!) }, smallCatalog());
}

describe("include", () => {
  it("merges tables deeply, and the including file wins", () => {
    const { config, sources } = check({
      "a.toml": 'include = "base.toml"\n[trainer]\nrounds = 7\n[parameters.optimizer]\nmomentum = 0.5',
      "base.toml": validToml(),
    });
    expect(config?.trainer).toMatchObject({ rounds: 7, epochs: 1 });
    expect(config?.parameters.optimizer).toEqual({ lr: 0.05, momentum: 0.5 });
    expect(sources).toEqual([join(folder, "a.toml"), join(folder, "base.toml")]);
  });

  it("takes several files, the later over the earlier, and concatenates lists", () => {
    const { config } = check({
      "a.toml":
        'include = ["base.toml", "more.toml"]\n[results]\ntypes = ["train_loss"]\n[[evaluation]]\ntype = "scored"',
      "base.toml": validToml('[results]\ntypes = ["round"]\n[[evaluation]]\ntype = "free"'),
      "more.toml": '[trainer]\nepochs = 9\n[results]\ntypes = ["accuracy"]',
    });
    expect(config?.trainer.epochs).toBe(9);
    expect(config?.results.types).toEqual(["round", "accuracy", "train_loss"]);
    expect(config?.evaluation).toMatchObject([{ type: "free" }, { type: "scored" }]);
  });

  it("may stand in any table, and names are relative to the file that holds them", () => {
    const { config, errors } = check({
      "runs/a.toml": validToml().replace("lr = 0.05", 'include = "../parts/sgd.toml"'),
      "parts/sgd.toml": 'include = "deeper/momentum.toml"\nlr = 0.5',
      "parts/deeper/momentum.toml": "momentum = 0.25\nlr = 9",
    });
    expect(errors).toEqual([]);
    expect(config?.parameters.optimizer).toEqual({ lr: 0.5, momentum: 0.25 });
    const listed = check({
      "b.toml": validToml('[[evaluation]]\ninclude = "e.toml"\nname = "mine"'),
      "e.toml": 'type = "scored"\ntop_k = 2',
    });
    expect(listed.config?.evaluation).toMatchObject([{ type: "scored", name: "mine", top_k: 2 }]);
  });

  it("keeps positions: a fault names the file and line where it was written", () => {
    const base = validToml("[server]\nprot = 1\nport = -1");
    const { errors } = check({
      "a.toml": 'include = "base.toml"\n[server]\nport = -2\n[data]\nsampler = "iidd"',
      "base.toml": base,
    });
    expect(errors.map(({ file, line, key, value }) => [file, line, key, value])).toEqual([
      [join(folder, "a.toml"), 3, "server.port", -2],
      [join(folder, "a.toml"), 5, "data.sampler", "iidd"],
      [join(folder, "base.toml"), lineOf(base, "prot"), "server.prot", 1],
    ]);
    const listed = check({
      "b.toml": 'include = "c.toml"\n[[evaluation]]\ntype = "free"\nevery = 0',
      "c.toml": validToml('[[evaluation]]\ntype = "scored"\ntop_k = 0'),
    });
    expect(listed.errors.map(({ file, line, key }) => [file, line, key])).toEqual([
      [join(folder, "b.toml"), 4, "evaluation[1].every"],
      [join(folder, "c.toml"), 20, "evaluation[0].top_k"],
    ]);
  });

  it("refuses circles, missing files, wrong types and what is no TOML, all at once", () => {
    const { errors } = check({
      "a.toml":
        'include = ["b.toml", "none.toml", 3]\n[server]\ninclude = true\n[data]\ninclude = "torn.toml"',
      "b.toml": '\ninclude = "a.toml"',
      "torn.toml": "\n\n[x",
    });
    expect(errors).toMatchObject([
      { code: "CONFIG_VALUE", key: "include", value: true, file: join(folder, "a.toml"), line: 3 },
      { code: "CONFIG_UNREADABLE", file: join(folder, "torn.toml"), line: 3 },
      { code: "CONFIG_VALUE", key: "include", value: 3, line: 1 },
      {
        code: "CONFIG_UNREADABLE",
        key: "include",
        value: join(folder, "a.toml"),
        file: join(folder, "b.toml"),
        line: 2,
        expected: expect.stringContaining("circular"),
      },
      {
        code: "CONFIG_UNREADABLE",
        value: join(folder, "none.toml"),
        line: 1,
        expected: expect.stringContaining("no such file"),
      },
    ]);
    expect(check({ "self.toml": 'include = "self.toml"' }).errors).toMatchObject([
      { expected: expect.stringContaining("circular") },
    ]);
  });

  it("may read one file twice where that is no circle", () => {
    const { ok, sources } = check({
      "a.toml": 'include = ["b.toml", "c.toml"]',
      "b.toml": 'include = "base.toml"',
      "c.toml": 'include = "base.toml"',
      "base.toml": validToml(),
    });
    expect(ok).toBe(true);
    expect(sources).toHaveLength(4);
  });

  it("is undone by { null = true }, which stands for none", () => {
    const { config, errors } = check({
      "a.toml": 'include = "base.toml"\n[trainer]\ntarget_accuracy = { null = true }\nepochs = 1',
      "base.toml": validToml().replace("rounds = 2", "rounds = 2\ntarget_accuracy = 0.9"),
    });
    expect(errors).toEqual([]);
    expect(config?.trainer).not.toHaveProperty("target_accuracy");
    expect(
      check({ "b.toml": validToml().replace("epochs = 1", "epochs = { null = true }") }).errors,
    ).toMatchObject([{ code: "CONFIG_MISSING_KEY", key: "trainer.epochs" }]);
    const free = check({
      "c.toml": validToml("[parameters.model]\na = { null = true }\nb = [1, { null = true }]"),
    });
    expect(free.config?.parameters.model).toEqual({ b: [1, null] });
  });

  it("leaves a list of { value = x } tables as the mixed list it stands for", () => {
    const { config } = check({
      "a.toml": validToml(
        '[parameters.model]\nmixed = [{ value = 1 }, { value = "two" }, { value = { null = true } }]',
      ),
    });
    expect(config?.parameters.model).toEqual({ mixed: [1, "two", null] });
  });

  it("works in an object from code, relative to the working folder", () => {
    const file = join(folder, "base.toml");
    writeFileSync(file, validToml());
    const { config } = loadConfigObject({ include: file, trainer: { rounds: 3 } }, smallCatalog());
    expect(config.trainer.rounds).toBe(3);
  });
});
