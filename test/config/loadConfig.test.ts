import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import {
  type Config,
  type ConfigIssue,
  checkConfig,
  loadConfig,
  loadConfigObject,
  pathsOf,
  readConfigFile,
  redact,
  renderIssue,
} from "../../src/config/index.js";
import { serverSchema } from "../../src/config/schema/server.js";
import { lineOf, smallCatalog, validToml } from "./support/catalog.js";

const catalog = smallCatalog();
const check = (text: string, options = {}) => checkConfig({ text, file: "a.toml" }, catalog, options);
const faultOf = (run: () => unknown): ElenchusError => {
  try {
    run();
  } catch (error) {
    if (error instanceof ElenchusError) return error;
  }
  throw new Error("nothing was thrown");
};

describe("a configuration without faults", () => {
  it("is resolved: every default is filled in, under its TOML name", () => {
    const { config, warnings } = loadConfig(validToml(), catalog);
    expect(warnings).toEqual([]);
    expect(config.general).toEqual({ base_path: "./runtime", debug: false, evaluate_round_zero: false });
    expect(config.server).toMatchObject({
      address: "127.0.0.1",
      port: 8000,
      connect_deadline: 60,
      round_deadline: 3600,
      ping_interval: 3600,
      ping_timeout: 3600,
      max_payload_bytes: 536870912,
      random_seed: 1,
    });
    expect(config.data.random_seed).toBe(1);
    expect(config.trainer.loss_criterion).toBe("CrossEntropyLoss");
    expect(config.results.types).toEqual(["round", "accuracy", "elapsed_time"]);
    expect(config.parameters.optimizer).toEqual({ lr: 0.05, momentum: 0 });
    expect(config).not.toHaveProperty("evaluation");
  });

  it("is frozen to the bottom", () => {
    const { config } = loadConfig(validToml('[evaluation]\ntype = "free"\ndeep = [{ a = [1] }]'), catalog);
    expect(Object.isFrozen(config.parameters.optimizer)).toBe(true);
    const { deep } = config.evaluation as { deep: { a: number[] }[] };
    expect(() => deep[0]!.a.push(2)).toThrow(TypeError);
  });

  it("comes as an object from code too, by the same checks and without positions", () => {
    const { config } = loadConfig(validToml(), catalog);
    expect(loadConfigObject(structuredClone(config), catalog).config).toEqual(config);
    const broken = { ...config, trainer: { ...config.trainer, rounds: 0 }, clients: new Map() };
    expect(checkConfig({ object: broken }, catalog).errors).toMatchObject([
      { code: "CONFIG_VALUE", file: null, line: null, key: "clients", expected: "a table [clients]" },
      { code: "CONFIG_VALUE", key: "trainer.rounds", value: 0, expected: "a positive integer" },
    ]);
    const circular: Record<string, unknown> = {};
    circular.parameters = { model: circular };
    expect(checkConfig({ object: circular }, catalog).ok).toBe(false);
    const inherited = JSON.parse('{ "general": { "__proto__": { "debug": true } } }');
    expect(checkConfig({ object: inherited }, catalog).errors).toContainEqual(
      expect.objectContaining({ code: "CONFIG_VALUE", key: "general.__proto__" }),
    );
    expect(checkConfig({ object: [] }, catalog).errors).toMatchObject([{ code: "CONFIG_VALUE" }]);
  });

  it("has a type whose parts keep their TOML names", () => {
    expectTypeOf<Config["server"]["round_deadline"]>().toEqualTypeOf<number>();
    expectTypeOf<Config["trainer"]["max_concurrency"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Config["results"]["types"]>().toEqualTypeOf<string[]>();
    expectTypeOf<Config["server"]["synchronous"]>().toEqualTypeOf<true>();
  });

  it("has folders under its base path, absolute ones as they stand", () => {
    const { config } = loadConfig(validToml('[results]\nresult_path = "out"'), catalog, { base: "/tmp/b" });
    expect(pathsOf(config)).toEqual({
      base: "/tmp/b",
      data: "/tmp/b/data",
      models: "/tmp/b/models/pretrained",
      checkpoints: "/tmp/b/checkpoints",
      results: "/tmp/b/out",
    });
    const other = loadConfig(validToml('[results]\nresult_path = "/tmp/elsewhere"'), catalog).config;
    expect(pathsOf(other).results).toBe("/tmp/elsewhere");
  });

  it("never shows its token", () => {
    const { config } = loadConfig(validToml('[server]\ntoken = "hush"'), catalog);
    expect(config.server.token).toBe("hush");
    expect(JSON.stringify(redact(config))).not.toContain("hush");
    const faulty = check(validToml('[server]\ntoken = ["hush"]\n[sever]\ntoken = "hush"'));
    expect(faulty.errors).toHaveLength(2);
    expect(JSON.stringify(faulty.errors)).not.toContain("hush");
  });
});

describe("faults", () => {
  it("are all collected, each with file, line, key, value, expectation and suggestion", () => {
    const text = validToml("[server]\nprot = 8000\nport = 70000\n[results]\ntypes = 3")
      .replace("rounds = 2", 'rounds = "two"')
      .replace('"digits"', '"digts"')
      .replace("epochs = 1\n", "");
    const { ok, config, errors } = check(text);
    expect({ ok, config }).toEqual({ ok: false, config: null });
    const line = (part: string) => lineOf(text, part);
    const file = "a.toml";
    expect(errors).toEqual([
      {
        code: "NAME_UNKNOWN",
        file,
        line: line("digts"),
        key: "data.datasource",
        value: "digts",
        expected: "a registered data source (digits)",
        suggestion: "digits",
      },
      {
        code: "CONFIG_MISSING_KEY",
        file,
        line: line("[trainer]"),
        key: "trainer.epochs",
        value: null,
        expected: "a positive integer",
        suggestion: null,
      },
      {
        code: "CONFIG_VALUE",
        file,
        line: line("rounds ="),
        key: "trainer.rounds",
        value: "two",
        expected: "a positive integer",
        suggestion: null,
      },
      {
        code: "CONFIG_UNKNOWN_KEY",
        file,
        line: line("prot"),
        key: "server.prot",
        value: 8000,
        expected: expect.stringContaining("a key of [server]: type, address, port"),
        suggestion: "port",
      },
      {
        code: "CONFIG_VALUE",
        file,
        line: line("port = 7"),
        key: "server.port",
        value: 70000,
        expected: "an integer from 0 to 65535",
        suggestion: null,
      },
      {
        code: "CONFIG_VALUE",
        file,
        line: line("types"),
        key: "results.types",
        value: 3,
        expected: "a string or a list of strings",
        suggestion: null,
      },
    ]);
  });

  it("read as one line each", () => {
    const shown = (text: string) => check(text).errors.map(renderIssue);
    const text = validToml("[server]\nprot = 8000\nspeed = 1");
    expect(shown(text)).toEqual([
      `a.toml:${lineOf(text, "prot")}: server.prot = 8000: unknown key. Did you mean "port"?`,
      `a.toml:${lineOf(text, "speed")}: server.speed = 1: unknown key; expected a key of [server]: ${Object.keys(serverSchema.shape).join(", ")}.`,
    ]);
    expect(shown(validToml().replace("[clients]\ntotal_clients = 10\nper_round = 4\n", ""))).toEqual([
      'a.toml: clients: missing; expected a table [clients] with "total_clients", "per_round".',
    ]);
    expect(shown("a = 1\nb = ")).toEqual([
      expect.stringMatching(/^a\.toml:2: not TOML at column \d+: .+\.$/),
    ]);
  });

  it("read so whatever is wrong", () => {
    const shown = (
      code: ConfigIssue["code"],
      expected: string,
      value: unknown = "x",
      suggestion: string | null = null,
    ) => renderIssue({ code, file: "--set", line: null, key: "a.b", value, expected, suggestion });
    expect(shown("NAME_UNKNOWN", "a registered model (lenet5)", "lenet", "lenet5")).toBe(
      '--set: a.b = "lenet": unknown name; expected a registered model (lenet5). Did you mean "lenet5"?',
    );
    expect(shown("CONFIG_UNSUPPORTED", "true", false)).toBe(
      "--set: a.b = false: known but not supported yet; expected true.",
    );
    expect(shown("CONFIG_CONFLICT", "at most 3", 4)).toBe("--set: a.b = 4: expected at most 3.");
    expect(shown("CONFIG_NO_EFFECT", "without effect", true)).toBe("--set: a.b = true: without effect.");
    expect(shown("CONFIG_VALUE", "a number", "y".repeat(100))).toBe(
      `--set: a.b = "${"y".repeat(59)}...: expected a number.`,
    );
  });

  it("are thrown together by the loader", () => {
    const error = faultOf(() =>
      loadConfig(validToml("[server]\nprot = 1\nport = -1"), catalog, { file: "a.toml" }),
    );
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain("has 2 errors:\na.toml:");
    expect(error.details.errors).toHaveLength(2);
    const torn = faultOf(() => loadConfig("[server", catalog, { file: "a.toml" }));
    expect(torn.code).toBe("CONFIG_UNREADABLE");
    expect(torn.details.errors).toMatchObject([{ code: "CONFIG_UNREADABLE", file: "a.toml", line: 1 }]);
  });

  it("name the section of a key that stands in the wrong place", () => {
    const { errors } = check(`rounds = 5\n${validToml("[server]\nepochs = 1\n[data.dataset]")}`);
    expect(errors).toMatchObject([
      { key: "rounds", line: 1, suggestion: "trainer.rounds" },
      { key: "server.epochs", suggestion: "trainer.epochs" },
      { key: "data.dataset", suggestion: "datasource" },
    ]);
  });

  it("include sections that are unknown or no tables", () => {
    const { errors } = check(
      `server = 3\nresults = []\n${validToml("[trainr]\nx = 1\n[service]\nport = -1\nprt = 2")}`,
    );
    expect(errors).toMatchObject([
      { code: "CONFIG_VALUE", key: "server", value: 3, expected: "a table [server]" },
      { code: "CONFIG_VALUE", key: "results", value: [] },
      { code: "CONFIG_UNKNOWN_KEY", key: "trainr", suggestion: "trainer" },
      { code: "CONFIG_VALUE", key: "service.port", value: -1 },
      { code: "CONFIG_UNKNOWN_KEY", key: "service.prt", suggestion: "port" },
    ]);
  });

  it("include values that JSON cannot carry, wherever they stand", () => {
    const { errors } = check(
      validToml(
        "[parameters.model]\na = 9007199254740993\nb = [1.0, nan]\nc = 1979-05-27\n[server]\nport = inf",
      ),
    );
    expect(errors).toMatchObject([
      { code: "CONFIG_VALUE", key: "parameters.model.a", value: "9007199254740993" },
      { code: "CONFIG_VALUE", key: "parameters.model.b[1]", value: "NaN", expected: "a finite number" },
      { code: "CONFIG_VALUE", key: "parameters.model.c", value: expect.stringContaining("1979-05-27") },
      { code: "CONFIG_VALUE", key: "server.port", value: "Infinity" },
    ]);
  });

  it("become warnings under --lenient where a key is unknown or not supported, and only there", () => {
    const text = validToml("[server]\nprot = 1\nstaleness_bound = 2\n[sevice]\nx = 1");
    expect(check(text).errors.map(({ code }) => code)).toEqual([
      "CONFIG_UNKNOWN_KEY",
      "CONFIG_UNSUPPORTED",
      "CONFIG_UNKNOWN_KEY",
    ]);
    const lenient = check(text, { lenient: true });
    expect(lenient.ok).toBe(true);
    expect(lenient.warnings).toHaveLength(3);
    expect(lenient.config).toEqual(check(validToml()).config);
    expect(
      check(validToml("[server]\nport = -1\nsynchronous = false"), { lenient: true }).errors,
    ).toMatchObject([{ code: "CONFIG_VALUE" }, { code: "CONFIG_UNSUPPORTED", key: "server.synchronous" }]);
  });

  it("never keep an answer from being given, whatever the object", () => {
    const names = fc.constantFrom(
      "clients",
      "server",
      "trainer",
      "evaluation",
      "results",
      "types",
      "type",
      "port",
      "x",
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(
          fc.string(),
          fc.double(),
          fc.boolean(),
          fc.bigInt(),
          fc.constant(null),
          fc.constant(undefined),
        ),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(names, tie("tree"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(names, tree), (object) => {
        const answer = checkConfig({ object }, catalog);
        expect(answer.ok).toBe(false);
        expect(JSON.parse(JSON.stringify(answer.errors))).toEqual(answer.errors);
      }),
    );
  });
});

describe("a file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "config-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("may have a byte-order mark and CRLF, comments included", () => {
    const path = join(folder, "a.toml");
    writeFileSync(path, `\uFEFF# note\r\n${validToml("[server] # note\nprot = 1").replaceAll("\n", "\r\n")}`);
    expect(checkConfig({ path }, catalog).errors).toMatchObject([
      { key: "server.prot", line: 20, file: path },
    ]);
  });

  it("that is missing, a folder or no TOML is CONFIG_UNREADABLE", () => {
    const path = join(folder, "none.toml");
    expect(faultOf(() => readConfigFile(path, catalog))).toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: expect.stringContaining(`${path}: cannot be read (no such file)`),
    });
    expect(checkConfig({ path: folder }, catalog).errors).toMatchObject([
      { code: "CONFIG_UNREADABLE", file: folder },
    ]);
  });

  it.each(["toString", "__proto__", "constructor", "hasOwnProperty"])("cannot use %s as a key", (name) => {
    const before = Object.getOwnPropertyNames(Object.prototype.toString).length;
    const { errors } = check(`[${name}]\ncall = 1\n`);
    expect(errors).toMatchObject([{ code: "CONFIG_UNREADABLE", line: 1 }]);
    expect(Object.getOwnPropertyNames(Object.prototype.toString)).toHaveLength(before);
  });

  it("cannot nest without end", () => {
    expect(check(`a = ${"[".repeat(5000)}${"]".repeat(5000)}`).errors).toMatchObject([
      { code: "CONFIG_UNREADABLE", line: 1 },
    ]);
    expect(check(`a = "${"x".repeat(1024 ** 2)}"`).errors).toMatchObject([{ code: "CONFIG_UNREADABLE" }]);
  });
});
