import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkConfig } from "../../src/config/index.js";
import { smallCatalog, validToml } from "./support/catalog.js";

const check = (evaluation: string, options = {}, catalog = smallCatalog()) =>
  checkConfig({ text: validToml(evaluation), file: "a.toml" }, catalog, options);
const table = (keys: string) => check(`[evaluation]\n${keys}`);

describe("[evaluation]", () => {
  it("gets the defaults of the common keys; undeclared options pass through untouched", () => {
    expect(table('type = "free"\nanything = [{ a = "b" }]').config?.evaluation).toEqual({
      type: "free",
      name: "free",
      fail_on_error: false,
      every: 1,
      timeout: 3600,
      on_clients: false,
      log_samples: false,
      limit: -1,
      anything: [{ a: "b" }],
    });
  });

  it("gets the defaults that its evaluator declares", () => {
    expect(table('type = "scored"\nmode = "full"').config?.evaluation).toMatchObject({
      mode: "full",
      top_k: 5,
    });
  });

  it("stays a list where it is one, even of one table", () => {
    expect(check('[[evaluation]]\ntype = "free"').config?.evaluation).toMatchObject([{ name: "free" }]);
    const two = check(
      '[[evaluation]]\ntype = "free"\n[[evaluation]]\ntype = "free"\nname = "again"\nlimit = 3',
    );
    expect(two.config?.evaluation).toMatchObject([{ name: "free" }, { name: "again", limit: 3 }]);
  });

  it("takes fail_on_error as a boolean and nothing else", () => {
    expect(table('type = "free"\nfail_on_error = "false"').errors).toMatchObject([
      {
        code: "CONFIG_VALUE",
        key: "evaluation.fail_on_error",
        value: "false",
        expected: "true or false",
        line: 20,
      },
    ]);
  });

  it.each([
    ["every = 0", "a positive integer, in rounds"],
    ["timeout = 0", "a positive number, in s"],
    ["limit = 0", "-1 or a positive integer"],
    ["limit = -2", "an integer of at least -1, in examples"],
    ["target = true", "a number"],
    ['data_dir = ""', "a non-empty string"],
    ["log_samples = 1", "true or false"],
    ['type = ""', "a non-empty string"],
  ])("refuses %s", (line, expected) => {
    const type = line.startsWith("type") ? "" : '\ntype = "free"';
    expect(table(`${line}${type}`).errors).toMatchObject([{ code: "CONFIG_VALUE", line: 19, expected }]);
  });

  it("needs a registered type", () => {
    expect(table("every = 1").errors).toMatchObject([
      { code: "CONFIG_MISSING_KEY", key: "evaluation.type", line: 18 },
    ]);
    expect(table('type = "scred"').errors).toMatchObject([
      {
        code: "NAME_UNKNOWN",
        key: "evaluation.type",
        suggestion: "scored",
        expected: "a registered evaluator (free, scored, undecided, undirected)",
      },
    ]);
    expect(checkConfig({ text: `evaluation = "free"\n${validToml()}` }, smallCatalog()).errors).toMatchObject(
      [{ code: "CONFIG_VALUE", key: "evaluation", value: "free" }],
    );
    expect(
      checkConfig({ text: `evaluation = ["free"]\n${validToml()}` }, smallCatalog()).errors,
    ).toMatchObject([{ code: "CONFIG_VALUE", key: "evaluation[0]", value: "free" }]);
  });

  it("checks declared options; one that is unknown is an error where the evaluator is strict", () => {
    expect(table('type = "scored"\ntop_k = 0\ntopk = 1\nmode = "slow"\nevry = 2').errors).toMatchObject([
      { code: "CONFIG_VALUE", key: "evaluation.top_k", line: 20, value: 0, expected: "a positive integer" },
      { code: "CONFIG_UNKNOWN_KEY", key: "evaluation.topk", line: 21, suggestion: "top_k" },
      { code: "CONFIG_VALUE", key: "evaluation.mode", value: "slow", expected: 'one of "fast", "full"' },
      { code: "CONFIG_UNKNOWN_KEY", key: "evaluation.evry", suggestion: "every" },
    ]);
    const loose = smallCatalog({
      evaluators: [{ name: "loose", description: "", options: z.object({ k: z.int().default(1) }) }],
    });
    expect(check('[evaluation]\ntype = "loose"\nfree = 1', {}, loose).config?.evaluation).toMatchObject({
      k: 1,
      free: 1,
    });
  });

  it("says what a text has to be like, in the words of its schema where it has some", () => {
    const options = z.strictObject({
      digest: z.string().regex(/^[0-9a-f]{4}$/, { error: "4 hexadecimal digits" }),
      variable: z.string().regex(/^[A-Z]+$/),
      place: z.url(),
      address: z.url({ error: "expected an address as http://host" }),
    });
    const catalog = smallCatalog({ evaluators: [{ name: "texts", description: "", options }] });
    const { errors } = check(
      '[evaluation]\ntype = "texts"\ndigest = "x"\nvariable = "x"\nplace = "x"\naddress = "x"',
      {},
      catalog,
    );
    expect(errors.map(({ expected }) => expected)).toEqual([
      "4 hexadecimal digits",
      "a string that matches ^[A-Z]+$",
      "an address",
      "an address as http://host",
    ]);
  });

  it("asks for evaluations where a table names none and its trainer has none", () => {
    const catalog = (declared: boolean | undefined) => {
      const given = smallCatalog({ evaluators: [{ name: "evaluations", description: "" }] });
      return {
        ...given,
        trainers: given.trainers.map((entry) => ({ ...entry, evaluations: () => declared })),
      };
    };
    const faults = (declared: boolean | undefined, more = "") =>
      check(`[evaluation]\ntype = "evaluations"\n${more}`, {}, catalog(declared)).errors;
    expect(faults(false)).toMatchObject([
      {
        code: "CONFIG_MISSING_KEY",
        key: "evaluation.evaluations",
        expected: expect.stringContaining("declares none"),
      },
    ]);
    expect(faults(true)).toEqual([]);
    expect(faults(undefined)).toEqual([]);
    expect(faults(false, 'evaluations = ["some"]')).toEqual([]);
  });

  it("warns of an undeclared option that looks like a common key", () => {
    const { ok, warnings } = table('type = "free"\nfail_on_eror = true');
    expect(ok).toBe(true);
    expect(warnings).toMatchObject([{ key: "evaluation.fail_on_eror", suggestion: "fail_on_error" }]);
    expect(table('type = "free"\nnode = 1\ntime = 2\nlimit = 3\nlimits = 4').warnings).toEqual([]);
  });

  it("survives a schema that throws", () => {
    const options = z.object({}).refine(() => {
      throw new Error("no judgement");
    });
    const { errors } = check(
      '[evaluation]\ntype = "odd"',
      {},
      smallCatalog({ evaluators: [{ name: "odd", description: "", options }] }),
    );
    expect(errors).toMatchObject([{ key: "evaluation", expected: expect.stringContaining("no judgement") }]);
  });

  it("gives every table a name of its own after the naming rule", () => {
    const names = (...given: string[]) =>
      check(given.map((name) => `[[evaluation]]\ntype = "free"\nname = "${name}"`).join("\n")).errors;
    expect(names("Same Name", "same-name!")).toMatchObject([
      { code: "EVALUATION_CONFIG", key: "evaluation[1].name", value: "same-name!", line: 23 },
    ]);
    expect(names("", "🎈")).toMatchObject([
      { code: "EVALUATION_CONFIG", key: "evaluation[0].name" },
      { code: "EVALUATION_CONFIG", key: "evaluation[1].name" },
    ]);
    expect(names("free", "Clients!")).toMatchObject([{ key: "evaluation[1].name" }]);
    expect(names("a", "b")).toEqual([]);
    expect(check('[[evaluation]]\ntype = "free"\n[[evaluation]]\ntype = "free"').errors).toMatchObject([
      { code: "EVALUATION_CONFIG", key: "evaluation[1].name", value: null, line: 20 },
    ]);
  });

  it("checks a primary metric against declared metrics, and leaves undeclared ones to the first result", () => {
    expect(table('type = "scored"\nprimary_metric = "scor"').errors).toMatchObject([
      { code: "EVALUATION_CONFIG", key: "evaluation.primary_metric", suggestion: "score" },
    ]);
    expect(table('type = "scored"\nprimary_metric = "toString"').ok).toBe(false);
    expect(table('type = "scored"\nprimary_metric = "loss"').ok).toBe(true);
    expect(table('type = "free"\nprimary_metric = "whatever"\ntarget = 1').ok).toBe(true);
  });

  it("takes a target only where the primary metric has a direction", () => {
    expect(table('type = "scored"\ntarget = 0.9').ok).toBe(true);
    expect(table('type = "undecided"\nprimary_metric = "score"\ntarget = 0.9').ok).toBe(true);
    // Which metric is the primary one, the first result will say.
    expect(table('type = "undecided"\ntarget = 0.9').ok).toBe(true);
    for (const given of ["", '\nprimary_metric = "score"']) {
      expect(table(`type = "undirected"${given}\ntarget = 0.9`).errors).toMatchObject([
        { code: "EVALUATION_CONFIG", key: "evaluation.target", value: 0.9 },
      ]);
    }
  });

  it("leaves to the first result what nobody declares: no metrics at all, or not the primary one", () => {
    const evaluators = [
      { name: "none", description: "", metrics: {} },
      { name: "beside", description: "", metrics: { a: { higherIsBetter: true } }, primaryMetric: "b" },
    ];
    for (const keys of ['type = "none"\nprimary_metric = "a"', 'type = "beside"']) {
      expect(check(`[evaluation]\n${keys}\ntarget = 1`, {}, smallCatalog({ evaluators })).errors).toEqual([]);
    }
  });

  it("is part of the server's test", () => {
    expect(check('[server]\ndo_test = false\n[evaluation]\ntype = "free"').errors).toMatchObject([
      { code: "CONFIG_CONFLICT", key: "server.do_test", line: 19 },
    ]);
  });

  it.each([['data_dir = "rows"', "data_dir", "rows", {}]])(
    "does not support %s yet",
    (line, key, value, then) => {
      expect(table(`type = "free"\n${line}`).errors).toMatchObject([
        { code: "CONFIG_UNSUPPORTED", key: `evaluation.${key}`, value, line: 20 },
      ]);
      const { ok, warnings, config } = check(`[evaluation]\ntype = "free"\n${line}`, { lenient: true });
      expect(ok).toBe(true);
      expect(warnings).toMatchObject([{ code: "CONFIG_UNSUPPORTED" }]);
      expect(config?.evaluation).toMatchObject(then);
      expect(config?.evaluation).not.toHaveProperty("data_dir");
    },
  );

  it("takes such a key where its evaluator heeds it", () => {
    const catalog = smallCatalog();
    const heeds = { name: "heeding", description: "", heeds: ["data_dir", "log_samples"] };
    const text = '[evaluation]\ntype = "heeding"\ndata_dir = "rows"\nlog_samples = true';
    const { errors, config } = check(text, {}, { ...catalog, evaluators: [...catalog.evaluators, heeds] });
    expect(errors).toEqual([]);
    expect(config?.evaluation).toMatchObject({ data_dir: "rows", log_samples: true });
  });

  it("refuses an evaluator of language with a trainer or a model that has none", () => {
    const catalog = smallCatalog();
    const lingual = { name: "lingual", description: "", tokens: true };
    const withTokens = (kind: "trainers" | "models", tokens: boolean) => ({
      ...catalog,
      evaluators: [...catalog.evaluators, lingual],
      [kind]: catalog[kind].map((entry) => ({ ...entry, tokens })),
    });
    const faultsOf = (given: typeof catalog) => check('[evaluation]\ntype = "lingual"', {}, given).errors;
    for (const kind of ["trainers", "models"] as const) {
      expect(faultsOf(withTokens(kind, false))).toMatchObject([
        {
          code: "CONFIG_CONFLICT",
          key: "evaluation.type",
          expected: expect.stringContaining('"lingual" needs a language model'),
        },
      ]);
      expect(faultsOf(withTokens(kind, true))).toEqual([]);
    }
  });

  it("tells a value that is known and not supported from a wrong one, and drops it where that is wished", () => {
    const options = z.strictObject({
      dtype: z
        .string()
        .default("float32")
        .refine((name) => name === "float32", { error: "float32", params: { unsupported: true } }),
      size: z.int().default(1),
    });
    const catalog = smallCatalog();
    const typed = { ...catalog, evaluators: [{ name: "typed", description: "", options }] };
    const text = '[evaluation]\ntype = "typed"\ndtype = "half"\nsize = 2';
    expect(check(text, {}, typed).errors).toMatchObject([
      { code: "CONFIG_UNSUPPORTED", key: "evaluation.dtype", value: "half", expected: "float32" },
    ]);
    const lenient = check(text, { lenient: true }, typed);
    expect(lenient.warnings).toMatchObject([{ code: "CONFIG_UNSUPPORTED" }]);
    expect(lenient.config?.evaluation).toMatchObject({ dtype: "float32", size: 2 });
  });

  it.each([false, true])("takes log_samples = %s", (wanted) => {
    const { ok, warnings, config } = table(`type = "free"\nlog_samples = ${wanted}`);
    expect({ ok, warnings }).toEqual({ ok: true, warnings: [] });
    expect(config?.evaluation).toMatchObject({ log_samples: wanted });
  });

  it("on clients needs their test", () => {
    const { errors } = table('type = "free"\non_clients = true');
    expect(errors.map(({ code, key }) => [code, key])).toEqual([
      ["CONFIG_CONFLICT", "evaluation.on_clients"],
    ]);
    const text = validToml('[evaluation]\ntype = "free"\non_clients = true').replace(
      "per_round = 4",
      "per_round = 4\ndo_test = true",
    );
    const { ok, warnings, config } = checkConfig({ text }, smallCatalog());
    expect({ ok, warnings }).toEqual({ ok: true, warnings: [] });
    expect(config?.evaluation).toMatchObject({ on_clients: true });
  });
});
