import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manualClock, silentLogger, systemClock } from "../../src/base/index.js";
import { TrainingContext } from "../../src/context/index.js";
import { evaluateRound, prepareEvaluators } from "../../src/evaluators/index.js";
import { parseCoreYaml } from "../../src/evaluators/nanochatCore/coreYaml.js";
import { hubSettings } from "../../src/hub/index.js";
import { type Script, ScriptedLanguageModel } from "../../src/language/index.js";
import { coreTasks } from "../../src/tasks/index.js";
import { createByteTokenizer, formatRankFile } from "../../src/tokenizers/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { zipArchive } from "../support/zipArchive.js";

const folder = temporaryFolder("core");
const bundle = join(folder, "eval_bundle");

/** Rows of a task: twelve, for ten examples beside each; of choices the first is always right, in half the rows. */
function rowsOf({ form }: { form: string }): object[] {
  return Array.from({ length: 12 }, (_, row) => {
    if (form === "multiple_choice") return { query: `Q${row}`, choices: ["alpha", "beta"], gold: row % 2 };
    if (form === "schema") return { context_options: ["alpha", "beta"], continuation: "goes", gold: row % 2 };
    return { context: `${row} Say`, continuation: row % 4 === 0 ? "zz" : "ab" };
  });
}

/** `core.yaml` as nanochat's bundle has it. */
const YAML = [
  "icl_tasks:",
  ...coreTasks.flatMap(({ label, form, shots, file, delimiter = " " }) => [
    "-",
    `  label: ${label}`,
    `  dataset_uri: ${file}`,
    `  num_fewshot: [${shots}]`,
    `  icl_task_type: ${form}`,
    ...(delimiter === " " ? [] : [`  continuation_delimiter: ${JSON.stringify(delimiter)}`]),
  ]),
  "",
].join("\n");

const BASELINES = [
  "Eval Task,Task Category,Random baseline",
  ...coreTasks.map(({ label }) => `${label},x,20`),
].join("\n");

beforeAll(() => {
  for (const spec of coreTasks) {
    const file = join(bundle, "eval_data", spec.file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `${rowsOf(spec)
        .map((row) => JSON.stringify(row))
        .join("\n")}\n`,
    );
  }
  writeFileSync(join(bundle, "core.yaml"), YAML);
  writeFileSync(join(bundle, "eval_meta_data.csv"), BASELINES);
});

/**
 * It expects a blank behind `Say` and `Answer:`, a `b` after an `a`, else an `a`: of choices the first, whose bytes are
 * likelier, and `ab` of words. Contexts it cannot tell apart.
 */
const LIKES_A: Script = {
  contextLength: 4096,
  next: (tokens) => {
    const logits = new Float32Array(260);
    const last = String.fromCharCode(tokens.at(-1)!);
    logits[last === "y" || last === ":" ? 32 : last === "a" ? 98 : 97] = 5;
    return logits;
  },
};

async function evaluate(
  table: object,
  {
    script = LIKES_A,
    tokenizer = undefined as unknown,
    samplesFolder = undefined as string | undefined,
  } = {},
) {
  const config = { evaluation: { type: "nanochat_core", bundle_dir: folder, ...table } };
  const context = new TrainingContext({ currentRound: 1 });
  const model = new ScriptedLanguageModel(script);
  const own = tokenizer ?? model.tokenizer;
  for await (const { outcome } of evaluateRound({
    config,
    context,
    model,
    tokenizer: own,
    logger: silentLogger,
    samplesFolder,
  })) {
    return {
      ...outcome,
      metadata: (outcome.result?.metadata ?? {}) as Record<string, Record<string, number>>,
    };
  }
  throw new Error("nothing was due");
}

const hub = { settings: { ...hubSettings({}), attempts: 1 }, logger: silentLogger, clock: systemClock };
const prepare = (table: object, tokenizer: unknown = createByteTokenizer()) =>
  prepareEvaluators({
    config: { evaluation: { type: "nanochat_core", ...table } },
    tokenizer,
    hub,
  } as never);

describe("the evaluator nanochat_core", () => {
  it("gives CORE, and under its own names what it is the mean of", async () => {
    const result = await evaluate({});
    expect(result.reason).toBeNull();
    expect(result.status).toBe("ok");
    // Of choices and contexts the first is likelier, right in half the rows; of words 9 of 12 are foreseen.
    const accuracies = Object.fromEntries(
      coreTasks.map(({ label, form }) => [label, form === "language_modeling" ? 3 / 4 : 1 / 2]),
    );
    expect(result.metadata.results).toEqual(accuracies);
    const words = coreTasks.filter(({ form }) => form === "language_modeling").length;
    const core = (words * ((0.75 - 0.2) / 0.8) + (22 - words) * ((0.5 - 0.2) / 0.8)) / 22;
    expect(result.result!.metrics).toEqual({ core_metric: expect.closeTo(core, 12) });
    expect(result.result!.primary_metric).toBe("core_metric");
    expect(result.metadata.centered_results!.copa).toBeCloseTo(0.375, 12);
    expect(result.metadata.baselines).toBe("bundle");
    // nanochat's baselines: by hand for those that are not 0.
    const v1 = { 25: 5, 50: 4, 20: 2, 62: 1, 9.1: 1 };
    const sum = Object.entries(v1).reduce(
      (total, [b, times]) => total + times * ((0.5 - +b / 100) / (1 - +b / 100)),
      0,
    );
    expect(result.details.core_metric_v1).toBeCloseTo((sum + words * 0.75) / 22, 12);
    expect(result.details.core_metric_v2).toBeLessThan(result.details.core_metric_v1!);
    expect(Object.keys(result.details)).toHaveLength(2 + 44);
    expect(result.details).toMatchObject({ copa: 0.5, copa_centered: expect.closeTo(0.375, 12) });
  });

  it("tells how far it is with the texts of all tasks", async () => {
    const told: [number, number][] = [];
    const model = new ScriptedLanguageModel(LIKES_A);
    const clock = manualClock();
    const rounds = evaluateRound({
      config: { evaluation: { type: "nanochat_core", bundle_dir: folder } },
      context: new TrainingContext({ currentRound: 1 }),
      model,
      tokenizer: model.tokenizer,
      logger: silentLogger,
      clock,
      onProgress(_, { done, total }) {
        told.push([done, total]);
        clock.advance(1000);
      },
    });
    for await (const { outcome } of rounds) expect(outcome.status).toBe("ok");
    // Twelve rows each; a text of words is read once, of choices and contexts two are.
    const all = coreTasks.reduce((sum, { form }) => sum + (form === "language_modeling" ? 12 : 24), 0);
    expect(told.at(-1)).toEqual([all, all]);
    const done = told.map(([count]) => count);
    expect(done).toEqual([...done].sort((one, other) => one - other));
    expect(new Set(told.map(([, total]) => total))).toEqual(new Set([all]));
  });

  it("writes nanochat's table", async () => {
    const { result } = await evaluate({ baselines: "v1" });
    const lines = (result!.artifacts["core.csv"] as string).split("\n");
    expect(lines[0]).toBe("Task                               , Accuracy  , Centered  ");
    expect(lines[6]).toBe("copa                               , 0.500000  , 0.000000  ");
    expect(lines[22]).toMatch(/^bigbench_language_identification {3}, 0\.500000 {2}, 0\.449945 {2}$/);
    expect(lines[23]).toMatch(/^CORE {31}, {11}, 0\.\d{6} {2}$/);
    expect(lines.slice(24)).toEqual([""]);
  });

  it("takes fewer rows, and says that they are fewer", async () => {
    const samplesFolder = join(folder, "samples");
    const result = await evaluate({ max_per_task: 11, log_samples: true }, { samplesFolder });
    expect(result).toMatchObject({ status: "partial", sampled: { used: 22 * 11, total: 22 * 12 } });
    expect(Object.keys(result.result!.metrics)).toEqual(["core_metric"]);
    const files = readdirSync(samplesFolder).map((name) => readFileSync(join(samplesFolder, name), "utf8"));
    expect(files.map((text) => text.trimEnd().split("\n").length)).toEqual(coreTasks.map(() => 11));
    expect((await evaluate({ max_per_task: 10 })).reason).toMatch(
      /10 rows are to be drawn as examples, and there are 9/,
    );
  });

  it("fails where a file is missing, or is partial in name too", async () => {
    const part = join(folder, "part");
    cpSync(bundle, part, { recursive: true });
    rmSync(join(part, "eval_data", "reading_comprehension"), { recursive: true });
    const failed = await evaluate({ bundle_dir: part });
    expect(failed).toMatchObject({ status: "failed", error: { code: "EVALUATION_CONFIG" } });
    expect(failed.reason).toMatch(/3 have no rows/);
    expect(failed.reason).toContain(join(part, "eval_data", "reading_comprehension", "squad.jsonl"));
    await expect(prepare({ bundle_dir: part })).rejects.toThrow(/squad\.jsonl/);
    const partial = await evaluate({ bundle_dir: part, allow_partial: true });
    expect(partial).toMatchObject({
      status: "partial",
      reason: "no rows for squad, coqa, boolq",
      result: { primary_metric: "core_metric_partial" },
    });
    expect(Object.keys(partial.details)).toHaveLength(2 + 38);
    expect(partial.result!.artifacts["core.csv"]).toMatch(/^CORE \(partial\) {21}, /m);
  });

  it("fails where a row cannot be asked, or is partial in name too", async () => {
    // A tokenizer that looks back: what it makes of a prompt is not how it begins the whole.
    const bytes = createByteTokenizer();
    const merging = {
      ...bytes,
      encode: (text: string) => (text.endsWith("0 Say zz") ? [1, 2, 3] : bytes.encode(text)),
    };
    expect((await evaluate({}, { tokenizer: merging })).reason).toMatch(
      /cannot be asked with this tokenizer/,
    );
    const partial = await evaluate({ allow_partial: true }, { tokenizer: merging });
    expect(partial).toMatchObject({ status: "partial", result: { primary_metric: "core_metric_partial" } });
    expect(partial.reason).toMatch(/^used \d+ of 264 examples; \d+ rows dropped$/);
  });

  it("runs other bundles, but does not call them CORE", async () => {
    const other = join(folder, "other");
    mkdirSync(join(other, "eval_data"), { recursive: true });
    writeFileSync(
      join(other, "eval_data", "mine.jsonl"),
      rowsOf({ form: "schema" })
        .map((row) => JSON.stringify(row))
        .join("\n"),
    );
    writeFileSync(
      join(other, "core.yaml"),
      "# ours\nicl_tasks:\n- label: mine\n  dataset_uri: 'mine.jsonl'\n  num_fewshot:\n  - 2\n  icl_task_type: schema\n  has_categories: true\n",
    );
    expect((await evaluate({ bundle_dir: other })).reason).toMatch(/other tasks than the 22/);
    const result = await evaluate({ bundle_dir: other, allow_partial: true });
    expect(result.result!.metrics).toEqual({ core_metric_partial: 0.5 });
    writeFileSync(join(other, "eval_meta_data.csv"), "Eval Task,Random baseline\nyours,50\n");
    expect((await evaluate({ bundle_dir: other, allow_partial: true })).reason).toMatch(
      /no baseline for mine/,
    );
    writeFileSync(join(other, "eval_meta_data.csv"), "Eval Task,Random baseline\nmine,much\n");
    expect((await evaluate({ bundle_dir: other, allow_partial: true })).reason).toMatch(/row 1 has no label/);
  });
});

describe("the bundle", () => {
  const archive = () =>
    zipArchive(
      readdirSync(bundle, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ name: `eval_bundle${path.slice(bundle.length)}`, content: readFileSync(path) })),
    );
  const requests: string[] = [];
  let url = "";
  const server = createServer((request, response) => {
    requests.push(request.url!);
    if (request.url === "/page.zip") return void response.end("<html>no such file</html>");
    if (request.url !== "/good.zip") return void response.writeHead(404).end();
    response.end(archive());
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("is fetched before round 1 from the first mirror that has it, once, and checked", async () => {
    const target = join(folder, "fetched");
    const urls = { bundle_dir: target, bundle_urls: [`${url}/bad.zip`, `${url}/good.zip`] };
    await expect(prepare({ ...urls, bundle_sha256: "0".repeat(64) })).rejects.toThrow(/checksum/);
    expect(existsSync(join(target, "eval_bundle"))).toBe(false);
    requests.length = 0;
    const sha256 = createHash("sha256").update(archive()).digest("hex");
    await prepare({ ...urls, bundle_sha256: sha256 });
    await prepare({ ...urls, bundle_sha256: sha256 });
    expect(requests).toEqual(["/bad.zip", "/good.zip"]);
    expect(existsSync(join(target, "eval_bundle", "core.yaml"))).toBe(true);
    expect((await evaluate({ bundle_dir: target })).status).toBe("ok");
  });

  it("may be an archive, or lie in a folder without its name", async () => {
    const path = join(folder, "own.zip");
    writeFileSync(path, archive());
    expect((await evaluate({ bundle_dir: path })).status).toBe("ok");
    expect((await evaluate({ bundle_dir: bundle })).status).toBe("ok");
    expect((await evaluate({ bundle_dir: undefined, data_dir: folder })).status).toBe("ok");
  });

  it("is not fetched into data_dir, nor offline", async () => {
    requests.length = 0;
    const urls = { bundle_urls: [`${url}/good.zip`] };
    await expect(prepare({ ...urls, data_dir: join(folder, "nowhere") })).rejects.toThrow(/22 have no rows/);
    const offline = { ...hub, settings: { ...hub.settings, offline: true } };
    await expect(
      prepareEvaluators({
        config: { evaluation: { type: "nanochat_core", ...urls, bundle_dir: join(folder, "nowhere") } },
        tokenizer: createByteTokenizer(),
        hub: offline,
      } as never),
    ).rejects.toThrow(/must not be asked/);
    expect(requests).toEqual([]);
  });

  it("that no address has is told with what each came to, where it would lie, and its key", async () => {
    const target = join(folder, "x");
    const urls = [`${url}/bad.zip`, `${url}/page.zip`];
    await expect(prepare({ bundle_urls: urls, bundle_dir: target })).rejects.toMatchObject({
      message: expect.stringMatching(
        /cannot be fetched:\n {2}http\S+\/bad\.zip: The server answered 404.*\n {2}http\S+\/page\.zip: what came is no zip archive\nName an address that has it with bundle_urls, put the archive at \S+x\/eval_bundle\.zip, or name its folder with bundle_dir\./,
      ),
      details: { path: ["evaluation", "bundle_urls"] },
    });
    // A page in place of the archive must not stand in the way of the next attempt.
    expect(existsSync(join(target, "eval_bundle.zip"))).toBe(false);
  });
});

describe("before round 1", () => {
  const rejection = (table: object) =>
    expect(prepare({ bundle_dir: folder, ...table }).catch((error: unknown) => error)).resolves;

  it("it is said which key leaves too few documents for the examples", async () => {
    await rejection({ max_per_task: 10 }).toMatchObject({
      message: expect.stringMatching(
        /max_per_task is 10, and \w+ draws 10 examples.*Set max_per_task to 11 or more/,
      ),
      details: { path: ["evaluation", "max_per_task"] },
    });
    await rejection({ max_per_task: 12, limit: 2 }).toMatchObject({
      message: expect.stringMatching(/limit is 2, /),
      details: { path: ["evaluation", "limit"] },
    });
    await prepare({ bundle_dir: folder, max_per_task: 11 });
  });

  it("a baseline that the bundle lacks is missed", async () => {
    const file = join(bundle, "eval_meta_data.csv");
    const table = readFileSync(file, "utf8");
    writeFileSync(
      file,
      table
        .split("\n")
        .filter((line) => !/(^|,)copa,/.test(line))
        .join("\n"),
    );
    try {
      await rejection({ baselines: "bundle" }).toMatchObject({
        message: expect.stringMatching(/no baseline for copa/),
        details: { path: ["evaluation", "baselines"] },
      });
      await prepare({ bundle_dir: folder, baselines: "v1" });
    } finally {
      writeFileSync(file, table);
    }
  });
});

describe("the tokenizer", () => {
  const before = process.env.NANOCHAT_BASE_DIR;
  beforeEach(() => {
    process.env.NANOCHAT_BASE_DIR = join(folder, "nanochat");
  });
  afterEach(() => {
    if (before === undefined) delete process.env.NANOCHAT_BASE_DIR;
    else process.env.NANOCHAT_BASE_DIR = before;
  });
  const ranks = () => formatRankFile(Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)) as never);

  it("is the trainer's, else nanochat's own; a lone pickle says how it is converted", async () => {
    const own = { bundle_dir: folder };
    await prepare(own);
    await expect(prepare(own, null)).rejects.toThrow(/nanochat.*tokenizer cannot be read/);
    const place = join(folder, "nanochat", "tokenizer");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "tokenizer.pkl"), "");
    await expect(prepare(own, null)).rejects.toThrow(/only a Python pickle.*_mergeable_ranks/);
    await expect(prepare({ ...own, tokenizer: join(place, "tokenizer.pkl") })).rejects.toThrow(/python -c/);
    writeFileSync(join(place, "tokenizer.tiktoken"), ranks());
    await prepare(own, null);
    await prepare({ ...own, tokenizer: join(place, "tokenizer.tiktoken") });
    await prepare({ ...own, tokenizer: place });
  });

  it("has a begin token", async () => {
    const tokenizer = { ...createByteTokenizer(), special: {} };
    await expect(prepare({ bundle_dir: folder }, tokenizer)).rejects.toThrow(/no begin token/);
  });
});

describe("core.yaml", () => {
  it("is read as the bundle has it", () => {
    expect(parseCoreYaml(YAML, "core.yaml")).toEqual(coreTasks.map((spec) => ({ delimiter: " ", ...spec })));
  });

  it("with anything else in it is an error that names the line or the task", () => {
    const faults: [string, RegExp][] = [
      ["tasks:\n", /line 1 is "tasks:"/],
      ["icl_tasks:\n- label: &a x\n", /line 2 is "&a x"/],
      ["icl_tasks:\n  label: x\n", /line 2/],
      ["icl_tasks:\n- label: x\n  label: y\n", /line 3/],
      ["icl_tasks:\n- 3\n", /line 2/],
      ["icl_tasks:\n- label: x\n", /task 1: .*dataset_uri/s],
      ['icl_tasks:\n- label: "x\\q"\n', /line 2/],
    ];
    for (const [text, message] of faults) {
      expect(() => parseCoreYaml(text, "core.yaml"), text).toThrow(message);
    }
  });
});
