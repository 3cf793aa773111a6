import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ElenchusError, manualClock, silentLogger } from "../../src/base/index.js";
import { hubSettings } from "../../src/hub/index.js";
import {
  createRowLoader,
  EXCERPT_SOURCES,
  type RowOptions,
  resolveTask,
  showDocuments,
  tasks,
} from "../../src/tasks/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { arcRow, piqaRow } from "./documents.js";

const folder = temporaryFolder("task-rows");
let folders = 0;

/** A folder with files in it; texts are written as they are, rows as JSON lines. */
function dataDir(files: Record<string, string | Buffer | readonly object[]>): string {
  const own = join(folder, String(folders++));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    const rows = Array.isArray(content) ? content.map((row) => `${JSON.stringify(row)}\n`).join("") : content;
    writeFileSync(join(own, name), rows as string | Buffer);
  }
  return own;
}

const taskOf = (name: string) => resolveTask(name).tasks[0]!.task;

async function loaded(name: string, options: RowOptions) {
  const { task, shots } = resolveTask(name).tasks[0]!;
  const loader = await createRowLoader(options);
  const found = await loader.load(task, shots > 0);
  return {
    ...found,
    prompts: showDocuments(task.documents(found.rows, { shots })).map(({ prompts }) => prompts[0]),
  };
}

describe("a folder of data sets", () => {
  it("has <hub id with / as __>/<config>/<split>, plain or gzipped", async () => {
    const lines = `${JSON.stringify(arcRow("gzipped"))}\n`;
    const own = dataDir({
      "allenai__ai2_arc/ARC-Easy/test.jsonl.gz": gzipSync(lines),
      "allenai__ai2_arc/ARC-Challenge/test.jsonl": [arcRow("plain")],
    });
    expect((await loaded("arc:easy", { dataDir: own })).prompts).toEqual(["Question: gzipped\nAnswer:"]);
    expect((await loaded("harness:arc_challenge", { dataDir: own })).prompts).toEqual([
      "Question: plain\nAnswer:",
    ]);
  });

  it("has lists in CSV as JSON, and numbers as texts", async () => {
    const csv = `question,choices,answer\nWhich?,"[""a"",""b"",""c"",""d""]",2\n`;
    const own = dataDir({ "cais__mmlu/anatomy/test.csv": csv });
    const { rows, prompts } = await loaded("harness:mmlu_anatomy", { dataDir: own });
    expect(rows.evaluated).toHaveLength(1);
    expect(prompts[0]).toMatch(/Which\?\nA\. a\nB\. b/);
  });

  it("may have another data set with the same rows, and no folder for its only configuration", async () => {
    const own = dataDir({ "gimmaru__piqa/validation.jsonl": [piqaRow("here")] });
    expect((await loaded("harness:piqa", { dataDir: own })).prompts).toEqual(["Question: here\nAnswer:"]);
  });

  it("joins splits that are evaluated together, and tells which is not there", async () => {
    const files = { "ybisk__piqa/plain_text/validation.jsonl": [piqaRow("a")] };
    const test = { "ybisk__piqa/plain_text/test.jsonl": [{ ...piqaRow("b"), label: -1 }] };
    expect(await loaded("piqa", { dataDir: dataDir({ ...files, ...test }) })).toMatchObject({
      rows: { evaluated: [{ goal: "a" }, { goal: "b" }] },
      missing: [],
    });
    expect(await loaded("piqa", { dataDir: dataDir(files) })).toMatchObject({ missing: ["test"] });
  });

  it("has examples in their own split, or is an error that lists the places", async () => {
    const own = dataDir({ "allenai__ai2_arc/ARC-Easy/test.jsonl": [arcRow("q")] });
    const error = await loaded("arc:easy|1", { dataDir: own }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "INPUT_UNREADABLE" });
    const { message, details } = error as { message: string; details: { looked: string[] } };
    expect(message).toContain(join(own, "allenai__ai2_arc", "ARC-Easy", "train.{parquet,jsonl,"));
    expect(details.looked.length).toBeGreaterThan(0);
  });

  it("may have lines without a row, which are passed over", async () => {
    const own = dataDir({
      "gimmaru__piqa/validation.jsonl": `${JSON.stringify(piqaRow("a"))}\n\n${JSON.stringify(piqaRow("b"))}\n`,
    });
    expect((await loaded("piqa_hf", { dataDir: own })).rows.evaluated).toHaveLength(2);
  });

  it("has files of CORE as its bundle has them", async () => {
    const row = { query: "q", choices: ["a", "b"], gold: 0 };
    for (const inside of ["eval_data/", "eval_bundle/eval_data/", ""]) {
      const own = dataDir({ [`${inside}commonsense_reasoning/copa.jsonl`]: [row] });
      expect((await loaded("core:copa", { dataDir: own })).prompts).toEqual(["q a"]);
    }
    await expect(loaded("core:copa", {})).rejects.toThrow(/a bundle of files and on no hub/);
  });
});

describe("sources.json", () => {
  it("names files by task and split, with other names for columns", async () => {
    const own = dataDir({
      "sources.json": JSON.stringify({
        piqa: { validation: { file: "rows.jsonl", fields: { goal: "aim" } } },
        arc_easy: { test: "arc.jsonl" },
      }),
      "rows.jsonl": [{ aim: "renamed", sol1: "a", sol2: "b", label: "1" }],
      "arc.jsonl": [arcRow("listed")],
    });
    expect((await loaded("harness:piqa", { dataDir: own })).prompts).toEqual(["Question: renamed\nAnswer:"]);
    expect((await loaded("harness:arc_easy@v0", { dataDir: own })).prompts).toEqual([
      "Question: listed\nAnswer:",
    ]);
  });

  it("may be elsewhere, with paths from the data folder, or else from itself", async () => {
    const sources = dataDir({
      "list.json": JSON.stringify({ piqa_hf: { validation: "a.jsonl" } }),
      "a.jsonl": [piqaRow("by list")],
    });
    const own = dataDir({ "a.jsonl": [piqaRow("by folder")] });
    const list = join(sources, "list.json");
    expect((await loaded("piqa_hf", { sources: list })).prompts[0]).toContain("by list");
    expect((await loaded("piqa_hf", { sources: list, dataDir: own })).prompts[0]).toContain("by folder");
  });

  it("chooses rows by value, by the configuration of a task, and for all tasks of a beginning", async () => {
    const row = (subject: string) => ({
      subject,
      question: subject,
      choices: ["a", "b", "c", "d"],
      answer: 0,
    });
    const own = dataDir({
      "sources.json": JSON.stringify({
        "mmlu_*": { test: { file: "all.jsonl", where: { subject: "$config" } } },
      }),
      "all.jsonl": [row("anatomy"), row("virology")],
    });
    const { rows } = await loaded("mmlu:virology", { dataDir: own });
    expect(rows.evaluated).toEqual([row("virology")]);
  });

  it("says with null that a split is not there: then the next one is for examples", async () => {
    const own = dataDir({
      "sources.json": JSON.stringify({ piqa: { train: null, validation: "v.jsonl", test: null } }),
      "v.jsonl": [piqaRow("a"), piqaRow("b")],
    });
    const { rows, missing } = await loaded("piqa|1", { dataDir: own });
    expect(rows.pool).toBe(rows.evaluated);
    expect(missing).toEqual(["test"]);
  });

  it("takes what is evaluated for examples where all else is not there, whichever split that is", async () => {
    const row = { question_stem: "S", choices: { text: ["a", "b"], label: ["A", "B"] }, answerKey: "A" };
    const own = dataDir({
      "sources.json": JSON.stringify({ openbookqa: { train: null, validation: null, test: "t.jsonl" } }),
      "t.jsonl": [row, { ...row, question_stem: "T" }],
    });
    const { rows } = await loaded("openbookqa|1", { dataDir: own });
    expect(rows.pool).toBe(rows.evaluated);
    const none = dataDir({ "sources.json": JSON.stringify({ piqa_hf: { validation: null } }) });
    await expect(loaded("piqa_hf", { dataDir: none })).rejects.toThrow(/The sources say that there is none/);
  });

  it.each([
    ["no JSON", "{"],
    ["a number for a file", JSON.stringify({ piqa: { validation: 3 } })],
    ["an unknown key", JSON.stringify({ piqa: { validation: { path: "a" } } })],
  ])("is refused with %s", async (_, text) => {
    const own = dataDir({ "sources.json": text });
    await expect(createRowLoader({ dataDir: own })).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
  });

  it("is refused where its list of forms does not have one", async () => {
    const own = dataDir({
      "sources.json": JSON.stringify({ piqa_hf: { validation: { file: "a.jsonl", form: "odd" } } }),
      "a.jsonl": [piqaRow("a")],
    });
    await expect(loaded("piqa_hf", { dataDir: own })).rejects.toMatchObject({ code: "NAME_UNKNOWN" });
  });
});

describe("other forms of rows", () => {
  const prompts = async (task: string, file: string, content: string | readonly object[], form?: string) => {
    const split =
      task.includes("openbookqa") || task.includes("wikitext") || task.includes("lambada")
        ? "test"
        : "validation";
    const own = dataDir({
      "sources.json": JSON.stringify({
        "*": { [split]: { file, ...(form && { form }) }, validation: form ? { file, form } : null },
      }),
      [file]: content,
    });
    const { task: chosen } = resolveTask(task).tasks[0]!;
    const { rows } = await (await createRowLoader({ dataDir: own })).load(chosen, false);
    return showDocuments(chosen.documents(rows, { shots: 0 }));
  };

  it("OpenBookQA with choices and gold", async () => {
    const shown = await prompts(
      "harness:openbookqa",
      "a.jsonl",
      [{ query: "S", choices: ["a", "b"], gold: 1 }],
      "openbookqa_choices",
    );
    expect(shown[0]).toMatchObject({ prompts: ["S"], continuations: [" a", " b"], gold: 1 });
  });

  it("WinoGrande by its two beginnings, cut at the word in which they part", async () => {
    const row = { context_options: ["He saw the bed", "He saw the barn"], continuation: "burn.", gold: 1 };
    const [harness] = await prompts("harness:winogrande", "a.jsonl", [row], "winogrande_options");
    expect(harness).toMatchObject({ prompts: row.context_options, continuations: [" burn."], gold: 1 });
    const [lighteval] = await prompts("winogrande", "a.jsonl", [row], "winogrande_options");
    expect(lighteval).toMatchObject({ prompts: ["He saw the "], continuations: ["bed burn.", "barn burn."] });
  });

  it("TruthfulQA with labels by choice", async () => {
    const row = { question: "Q?", mc1_targets: { t: 1, f: 0 }, mc2_targets: { t: 1, f: 0 } };
    const [shown] = await prompts(
      "harness:truthfulqa_mc2",
      "a.json",
      JSON.stringify([row]),
      "truthfulqa_labels",
    );
    expect(shown).toMatchObject({ continuations: [" t", " f"], gold: [0] });
  });

  it("WikiText as raw lines: a title opens a page, a section does not", async () => {
    const raw = "\n = One = \n\n a b \n = = Part = = \n c \n = Two = \n d \n";
    const shown = await prompts("harness:wikitext", "a.raw", raw, "wikitext_pages");
    expect(shown.map(({ prompts: [page] }) => page)).toEqual(
      ["= One =\n\na b\n== Part ==\nc", "= Two =\nd\n"].map((text) =>
        expect.stringContaining(text.slice(2, 5)),
      ),
    );
    expect(shown).toHaveLength(2);
  });

  it("texts by lines", async () => {
    const shown = await prompts("harness:lambada_standard", "a.txt", "one two\nthree four\n");
    expect(shown.map((one) => [...one.prompts, ...one.continuations])).toEqual([
      ["one", " two"],
      ["three", " four"],
    ]);
  });

  it("BoolQ with passage and question in one text", async () => {
    const row = { query: "Passage: P\nQuestion: is it?", choices: ["no", "yes"], gold: 1 };
    const [shown] = await prompts("harness:boolq", "a.jsonl", [row], "boolq_query");
    expect(shown).toMatchObject({ prompts: ["P\nQuestion: is it?\nAnswer:"], gold: 1 });
  });
});

/** What answers every request in one way. */
function hubThat(answers: () => Promise<Response>, cache: string, environment: Record<string, string> = {}) {
  const settings = hubSettings(
    { HF_ENDPOINT: "http://hub.test", HF_HUB_CACHE: join(folder, cache), ...environment },
    { attempts: 1 },
  );
  let asked = 0;
  const fetch = (() => {
    asked += 1;
    return answers();
  }) as typeof globalThis.fetch;
  return { hub: { settings, logger: silentLogger, clock: manualClock(), fetch }, asked: () => asked };
}
const offline = () =>
  hubThat(() => Promise.reject(new Error("the network must not be asked")), "none", { HF_HUB_OFFLINE: "1" });

describe("a hub", () => {
  it("that cannot be asked is an error that lists every data set and configuration", async () => {
    const { hub, asked } = offline();
    const error = await loaded("harness:squadv2", { hub }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "HUB_NOT_FOUND" });
    for (const name of ["lighteval/squad_v2", "rajpurkar/squad_v2", "split validation"]) {
      expect((error as Error).message).toContain(name);
    }
    expect(asked()).toBe(0);
  });
});

describe("the excerpts of the package", () => {
  const excerpts = dirname(EXCERPT_SOURCES);

  it("stand for rows that cannot be had because the network is out of reach, and say so", async () => {
    expect(await loaded("harness:arc_easy|1", { hub: offline().hub })).toMatchObject({
      excerpt: true,
      missing: [],
      from: [join(excerpts, "arc_easy-test.jsonl.gz"), join(excerpts, "arc_easy-train.jsonl.gz")],
    });
    const away = hubThat(() => Promise.reject(new Error("no route")), "away");
    const loader = await createRowLoader({ hub: away.hub });
    for (const name of ["harness:piqa", "hellaswag", "boolq"]) {
      expect(await loader.load(taskOf(name), false)).toMatchObject({ excerpt: true });
    }
    // Whoever did not answer is not asked for the other data sets.
    expect(away.asked()).toBe(1);
  });

  it.each([
    [404, "HUB_NOT_FOUND"],
    [401, "HUB_REFUSED"],
  ])("do not where a hub answers with %d", async (status, code) => {
    const { hub } = hubThat(() => Promise.resolve(new Response(null, { status })), `says-${status}`);
    await expect(loaded("arc:easy", { hub })).rejects.toMatchObject({ code });
  });

  it("do not where a folder lacks a file, nor for a user's task of the same name", async () => {
    await expect(loaded("arc:easy", { dataDir: dataDir({}) })).rejects.toMatchObject({
      code: "INPUT_UNREADABLE",
    });
    const { task } = resolveTask("arc:easy").tasks[0]!;
    const own = { ...task, data: { ...task.data, repositories: ["somebody/arc"] } };
    const loader = await createRowLoader({ hub: offline().hub });
    await expect(loader.load(own, false)).rejects.toMatchObject({ code: "HUB_NOT_FOUND" });
  });

  it("are rows of a folder's own neither: those are no excerpt", async () => {
    const own = dataDir({ "allenai__ai2_arc/ARC-Easy/test.jsonl": [arcRow("q")] });
    expect(await loaded("arc:easy", { dataDir: own, hub: offline().hub })).toMatchObject({ excerpt: false });
  });

  it("are rows that their tasks can ask, with examples too", async () => {
    const loader = await createRowLoader({ hub: offline().hub });
    const without: string[] = [];
    for (const name of tasks.registeredNames()) {
      const task = tasks.lookup(name);
      const shots = task.shotsFixed === true || task.dialect === "core" ? task.shots : 2;
      try {
        const { rows } = await loader.load(task, shots > 0);
        expect([...task.documents(rows, { shots })].length, name).toBeGreaterThan(0);
      } catch (error) {
        if (!(error instanceof ElenchusError) || !Array.isArray(error.details.looked)) throw error;
        without.push(name);
      }
    }
    const named = [...new Set(without.map((name) => name.replace(/(mmlu_pro).*/, "$1")))];
    expect(named).toEqual([
      "core:agi_eval_lsat_ar",
      "core:commonsense_qa",
      "core:copa",
      "core:coqa",
      "core:jeopardy",
      "core:openbook_qa",
      "core:squad",
      "harness:meta_ifeval",
      "harness:meta_mmlu_pro",
      "harness:mmlu_pro",
      "harness:openbookqa",
      "harness:openbookqa@v0",
      "harness:squadv2",
      "lighteval:mmlu_pro",
      "lighteval:openbookqa",
    ]);
  });

  it("have their licence named, each file, and are small", () => {
    const names = readdirSync(excerpts).filter((name) => name.endsWith(".gz"));
    const licences = readFileSync(join(excerpts, "LICENSES.md"), "utf8");
    const said = [...licences.matchAll(/`([a-z][\w*-]*)`/g)].map(
      ([, stem]) => new RegExp(`^${stem!.replaceAll("*", ".*")}\\.`),
    );
    for (const name of names)
      expect(
        said.some((stem) => stem.test(name)),
        name,
      ).toBe(true);
    const bytes = names.reduce((sum, name) => sum + statSync(join(excerpts, name)).size, 0);
    expect(bytes).toBeLessThan(1_500_000);
  });
});
