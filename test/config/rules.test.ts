import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Catalog, checkConfig, checkData, issueAt, loadConfig } from "../../src/config/index.js";
import { smallCatalog, validToml } from "./support/catalog.js";

const custom = { name: "digits", description: "of unknown size" };
const faults = (text: string, changes: Partial<Catalog> = {}) =>
  checkConfig({ text, file: "a.toml" }, smallCatalog(changes)).errors;

describe("rules across keys", () => {
  it("select no more clients than there are, and ask no quorum that cannot be met", () => {
    expect(faults(validToml().replace("per_round = 4", "per_round = 11"))).toMatchObject([
      {
        code: "CONFIG_CONFLICT",
        key: "clients.per_round",
        line: 3,
        value: 11,
        expected: "at most clients.total_clients, which is 10",
      },
    ]);
    expect(faults(validToml("[server]\nminimum_clients_aggregated = 5"))).toMatchObject([
      { key: "server.minimum_clients_aggregated", expected: "at most clients.per_round, which is 4" },
    ]);
    expect(faults(validToml("[server]\nminimum_clients_aggregated = 4"))).toEqual([]);
  });

  it("hold heart beats within what a timer holds", () => {
    expect(faults(validToml("[server]\nping_interval = 1e9\nping_timeout = 1000000"))).toMatchObject([
      {
        code: "CONFIG_VALUE",
        key: "server.ping_interval",
        expected: expect.stringContaining("at most 1000000"),
      },
    ]);
  });

  it("fit chunks into payloads and payloads into buffers", () => {
    expect(faults(validToml("[server]\nmax_payload_bytes = 1000\nmax_buffered_bytes = 999"))).toMatchObject([
      { key: "server.max_payload_bytes", expected: "at least server.max_chunk_bytes, which is 1048576" },
      { key: "server.max_buffered_bytes", expected: "at least server.max_payload_bytes, which is 1000" },
    ]);
  });

  it("hold partitions and test sets against the rows there are", () => {
    const text = validToml().replace("[trainer]", "partition_size = 1438\ntestset_size = 361\n[trainer]");
    expect(faults(text)).toMatchObject([
      {
        code: "DATA_INVALID",
        key: "data.partition_size",
        value: 1438,
        expected: "at most the 1437 rows of the training set",
      },
      { code: "DATA_INVALID", key: "data.testset_size", value: 361 },
    ]);
    const fitting = text.replace("1438", "1437").replace("361", "360");
    expect(faults(fitting)).toEqual([]);
    const { config } = loadConfig(fitting, smallCatalog());
    expect(checkData(config, smallCatalog(), { trainRows: 100, testRows: 360, classes: 2 })).toMatchObject([
      { code: "DATA_INVALID", file: null, key: "data.partition_size" },
    ]);
  });

  it("say where a key stands that the data have proved wrong, whoever finds that", () => {
    const text = validToml().replace("[trainer]", "partition_size = 100\n[trainer]");
    const check = checkConfig({ text, file: "a.toml" }, smallCatalog({ datasources: [custom] }));
    const facts = { trainRows: 99, testRows: 9, classes: 2 };

    expect(check.ok).toBe(true);
    expect(checkData(check.config!, smallCatalog(), facts, check.written)).toEqual([
      {
        code: "DATA_INVALID",
        file: "a.toml",
        line: 7,
        key: "data.partition_size",
        value: 100,
        expected: "at most the 99 rows of the training set",
        suggestion: null,
      },
    ]);
    const fault = { expected: "another one" };
    expect(issueAt(check.written, "DATA_INVALID", ["data", "sampler"], fault)).toMatchObject({
      file: "a.toml",
      line: 6,
      key: "data.sampler",
      value: "iid",
    });
    // What was not written stands nowhere, but its section does.
    expect(check.written(["data", "testset_size"])).toEqual({ file: "a.toml", line: 4, value: null });
    const unreadable = checkConfig({ text: "[", file: "a.toml" }, smallCatalog());
    expect(unreadable.written(["data"])).toEqual({ file: null, line: null, value: null });
  });

  it("ask the chosen entries, whose own failure is a fault like others", () => {
    const iid = {
      name: "iid",
      description: "",
      check: (config: { clients: { total_clients: number } }, facts?: { trainRows: number }) =>
        config.clients.total_clients * 200 > (facts?.trainRows ?? 0)
          ? [{ path: ["clients", "total_clients"], expected: "at most 7 clients for 200 rows each" }]
          : [],
    };
    expect(faults(validToml(), { samplers: [iid] })).toMatchObject([
      { code: "CONFIG_CONFLICT", key: "clients.total_clients", line: 2, value: 10 },
    ]);
    const broken = { ...iid, check: () => assertionFails() };
    expect(faults(validToml(), { samplers: [broken] })).toMatchObject([
      { key: "data.sampler", expected: expect.stringContaining("it failed: not today") },
    ]);
  });

  it("show the chosen entries, which may be a user's, no token", () => {
    const seen: string[] = [];
    const check = (config: unknown) => {
      seen.push(JSON.stringify(config));
      return [];
    };
    const samplers = [{ name: "iid", description: "", check }];
    const text = validToml('[server]\ntoken = "hush"\nport = 4321');
    const { config } = checkConfig({ text }, smallCatalog({ samplers }));

    expect(config?.server.token).toBe("hush");
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain("4321");
    expect(seen[0]).not.toContain("hush");
  });

  it("know which columns something produces", () => {
    const types = (value: string, changes: Partial<Catalog> = {}, rest = "") =>
      checkConfig({ text: validToml(`[results]\ntypes = ${value}\n${rest}`) }, smallCatalog(changes));
    expect(types('"round, acuracy"').errors).toMatchObject([
      { code: "CONFIG_CONFLICT", key: "results.types", suggestion: "accuracy" },
    ]);
    expect(types('[\n"round",\n"nothing",\n]').errors).toMatchObject([
      { key: "results.types[1]", value: "nothing", line: 21 },
    ]);
    expect(types('"evaluation_x"').errors).toMatchObject([{ code: "CONFIG_CONFLICT" }]);
    expect(types('"round, evaluation_x"', {}, '[evaluation]\ntype = "scored"').ok).toBe(true);
    const declared = [{ name: "basic", description: "", metrics: { perplexity: { higherIsBetter: false } } }];
    expect(types('"round, perplexity, perplexity_std"', { trainers: declared }).ok).toBe(true);
    expect(types('"round, accurracy"', { trainers: declared }).ok).toBe(false);
    const { resultItems: _, ...unknown } = smallCatalog();
    expect(checkConfig({ text: validToml('[results]\ntypes = "any"') }, unknown).ok).toBe(true);
  });

  it("know the test's own metric from the loss; `accuracy` always carries the scalar", () => {
    const losses = ["CrossEntropyLoss", "MSELoss"].map((name) => ({ name, description: "" }));
    const wrong = (loss: string, types: string, trainer = "basic") => {
      const text = validToml(`[results]\ntypes = "${types}"`).replace(
        'type = "basic"',
        `type = "${trainer}"\nloss_criterion = "${loss}"`,
      );
      const trainers = [trainer].map((name) => ({ name, description: "" }));
      return checkConfig({ text }, smallCatalog({ losses, trainers })).errors.map(({ key }) => key);
    };
    expect(wrong("MSELoss", "round, accuracy, mse, mse_std")).toEqual([]);
    expect(wrong("CrossEntropyLoss", "round, accuracy, accuracy_std")).toEqual([]);
    for (const trainer of ["basic", "composable"]) {
      expect(wrong("CrossEntropyLoss", "round, mse", trainer)).toEqual(["results.types"]);
      expect(wrong("CrossEntropyLoss", "round, mse_std", trainer)).toEqual(["results.types"]);
    }
  });

  it("only warn of a column that a trainer made in code may give", () => {
    const text = validToml('[results]\ntypes = "round, bleu"').replace('"basic"', '"own"');
    const { ok, warnings } = checkConfig({ text }, smallCatalog());
    expect(ok).toBe(true);
    expect(warnings).toMatchObject([{ key: "results.types" }]);
  });

  describe("warn of what is written and does nothing", () => {
    const warned = (text: string, options = {}, changes: Partial<Catalog> = {}) =>
      checkConfig({ text, file: "a.toml" }, smallCatalog(changes), options).warnings.map(
        ({ code, key, line }) => `${code} ${key} ${line}`,
      );
    const withKey = (section: string, line: string) =>
      validToml().replace(`[${section}]`, `[${section}]\n${line}`);

    it.each([
      ["clients", "comm_simulation = true", "clients.comm_simulation", 2],
      ["clients", "random_seed = 3", "clients.random_seed", 2],
      ["clients", "test_interval = 2", "clients.test_interval", 2],
    ])("%s: %s", (section, line, key, place) => {
      expect(warned(withKey(section, line))).toEqual([`CONFIG_NO_EFFECT ${key} ${place}`]);
    });

    it("of options for a schedule that is not named", () => {
      const text = validToml("[parameters.learning_rate]\ngamma = 0.5");
      expect(warned(text)).toEqual(["CONFIG_NO_EFFECT parameters.learning_rate 18"]);
      expect(warned(text.replace("rounds = 2", 'lr_scheduler = "StepLR"\nrounds = 2'))).toEqual([]);
    });

    it("of the server", () => {
      expect(warned(validToml('[server]\nmodel_path = "m"\nmax_payload_parts = 3'))).toEqual([
        "CONFIG_NO_EFFECT server.model_path 19",
        "CONFIG_NO_EFFECT server.max_payload_parts 20",
      ]);
    });

    it("of tests that nobody makes", () => {
      const text = validToml('[server]\ndo_test = false\n[results]\ntypes = "round, accuracy"');
      expect(warned(text.replace("rounds = 2", "rounds = 2\ntarget_accuracy = 0.9"))).toEqual([
        "CONFIG_NO_EFFECT trainer.target_accuracy 11",
        "CONFIG_NO_EFFECT results.types 22",
      ]);
      expect(warned(validToml("[server]\ndo_test = false"))).toEqual([]);
      expect(warned(text.replace("per_round", "do_test = true\nper_round"))).toEqual([]);
    });

    it("of the data, where the sampler says what it reads", () => {
      const samplers = [
        { name: "iid", description: "", options: z.looseObject({ partition_size: z.int().optional() }) },
      ];
      const text = withKey("data", "partition_size = 5\nconcentration = 2");
      expect(warned(text, {}, { samplers })).toEqual(["CONFIG_NO_EFFECT data.concentration 6"]);
      expect(warned(text)).toEqual([]);
    });

    it("but not of seeds that --seed sets, nor of what has its default", () => {
      expect(warned(validToml(), { seed: 7 })).toEqual([]);
      expect(warned(validToml())).toEqual([]);
    });
  });

  it("refuse folders that cannot be made", () => {
    const folder = mkdtempSync(join(tmpdir(), "config-"));
    const file = join(folder, "file");
    writeFileSync(file, "");
    const set = (base: string, results: string) =>
      checkConfig({ text: validToml(`[results]\nresult_path = '${results}'`) }, smallCatalog(), { base })
        .errors;
    expect(set(join(folder, "new", "base"), "results")).toEqual([]);
    expect(set(join(file, "base"), "results")).toMatchObject([
      {
        code: "PATH_UNWRITABLE",
        key: "general.base_path",
        file: "--base",
        expected: expect.stringContaining("is a file"),
      },
    ]);
    expect(set(folder, join(file, "below"))).toMatchObject([
      { code: "PATH_UNWRITABLE", key: "results.result_path", value: join(file, "below") },
    ]);
    rmSync(folder, { recursive: true });
  });

  it("check the options of what is named, and fill in their defaults", () => {
    const text = validToml().replace("lr = 0.05", "lr = 0\nmomentm = 0.9");
    expect(faults(text)).toMatchObject([
      {
        code: "CONFIG_VALUE",
        key: "parameters.optimizer.lr",
        line: 15,
        value: 0,
        expected: "a positive number",
      },
      { code: "CONFIG_UNKNOWN_KEY", key: "parameters.optimizer.momentm", line: 16, suggestion: "momentum" },
    ]);
    expect(faults(validToml().replace("lr = 0.05", ""))).toMatchObject([
      { code: "CONFIG_MISSING_KEY", key: "parameters.optimizer.lr", line: 14 },
    ]);
    const lenient = checkConfig({ text: text.replace("lr = 0\n", "lr = 1\n") }, smallCatalog(), {
      lenient: true,
    });
    expect(lenient.config?.parameters.optimizer).toEqual({ lr: 1, momentum: 0 });
    expect(lenient.warnings).toHaveLength(1);
  });

  it("take in what a sampler's schema says of its keys together", () => {
    const options = z
      .object({ partition_size: z.int(), anchors: z.array(z.int()) })
      .refine(({ partition_size, anchors }) => anchors.length <= partition_size, {
        error: "no more anchors than rows",
        path: ["anchors"],
      });
    const samplers = [{ name: "iid", description: "", options }];
    const text = validToml().replace("[trainer]", "partition_size = 1\nanchors = [4, 5]\n[trainer]");
    expect(faults(text, { samplers })).toMatchObject([
      { code: "CONFIG_CONFLICT", key: "data.anchors", line: 8, expected: "no more anchors than rows" },
    ]);
    expect(faults(text.replace("[4, 5]", "[4]"), { samplers })).toEqual([]);
  });

  it("keep options as written whose parsed form their reader could not parse again", () => {
    const options = z.object({ size: z.string().transform(Number), kept: z.int().default(1) });
    const text = validToml('[parameters.model]\nsize = "12"\nelse = true');
    const { config } = loadConfig(
      text,
      smallCatalog({ models: [{ name: "lenet5", description: "", options }] }),
    );
    expect(config.parameters.model).toEqual({ size: "12", else: true });
  });

  it("look for the model by its type where one is given", () => {
    const typed = (type: string) =>
      faults(validToml().replace('"lenet5"', `"lenet_x"\nmodel_type = "${type}"`));
    expect(typed("multilayer")).toEqual([]);
    expect(typed("multilayr")).toMatchObject([{ key: "trainer.model_type", suggestion: "multilayer" }]);
  });
});

function assertionFails(): never {
  throw new Error("not today");
}
