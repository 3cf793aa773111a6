import { describe, expect, it } from "vitest";
import { PythonRandom } from "../../src/base/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { coreScore, coreTask, resolveTask, runTask } from "../../src/tasks/index.js";
import { planSpans } from "../../src/tasks/run/spans.js";
import { createByteTokenizer } from "../../src/tokenizers/index.js";
import { documentsOf, promptOf } from "./documents.js";

const choice = (query: string, gold = 0, choices = ["yes", "no"]) => ({ query, choices, gold });
const words = (context: string, continuation: string) => ({ context, continuation });

describe("prompts of CORE", () => {
  it("with choices are whole texts, one per choice; queries are not stripped", () => {
    const [document] = documentsOf("core:piqa|0", [choice("Q\n", 1)]);
    expect(document).toMatchObject({
      gold: 1,
      requests: [{ kind: "span", form: "multiple_choice", prompts: ["Q\n\nAnswer: yes", "Q\n\nAnswer: no"] }],
    });
  });

  it("of schemas are one per context", () => {
    const row = { context_options: ["A went", "B went"], continuation: "home.", gold: 1 };
    expect(documentsOf("core:winograd", [row])[0]!.requests[0]!.prompts).toEqual([
      "A went home.",
      "B went home.",
    ]);
  });

  it("of words are without and with them: contexts stripped, the end of the first too, words never", () => {
    const row = words("\x1c When? \n", " then ");
    expect(documentsOf("core:coqa", [row])[0]!.requests[0]!.prompts).toEqual(["When?", "When?  then "]);
  });

  it("show examples with the right answer and an empty line behind each", () => {
    const rows = [choice("a", 0), choice("b", 1)];
    const documents = documentsOf("core:arc_easy|1", rows);
    expect(promptOf(documents, 0)).toBe("b\nAnswer: no\n\na\nAnswer: yes");
    expect(documents.find(({ doc }) => doc === 0)!.fewshot).toEqual([1]);
  });
});

describe("documents of CORE", () => {
  const rows = Array.from({ length: 20 }, (_, place) => choice(`q${place}`));
  const order = new PythonRandom(1337).shuffle(rows.map((_, place) => place));

  it("are shuffled with seed 1337, cut, and examples of each drawn with seed 1234 and its place", () => {
    const documents = documentsOf("core:arc_easy|3", rows, rows, { limit: 8 });
    expect(documents.map(({ doc }) => doc)).toEqual(order.slice(0, 8));
    const others = [0, 1, 3, 4, 5, 6, 7];
    const drawn = new PythonRandom(1234 + 2).sample(others, 3);
    expect(documents[2]!.fewshot).toEqual(drawn.map((place) => order[place]));
  });

  it("are all where the limit is not above zero", () => {
    expect(documentsOf("core:arc_easy|0", rows, rows, { limit: 0 })).toHaveLength(20);
    expect(documentsOf("core:arc_easy|0", rows, rows, { limit: -1 })).toHaveLength(20);
  });

  it("cannot have as many examples as there are rows", () => {
    expect(() => documentsOf("core:arc_easy|10", rows, rows, { limit: 10 })).toThrow(
      /10 rows are to be drawn as examples, and there are 9/,
    );
    expect(documentsOf("core:arc_easy|9", rows, rows, { limit: 10 })).toHaveLength(10);
  });
});

describe("spans of CORE", () => {
  const tokenizer = createByteTokenizer();
  const lengths = (form: "multiple_choice" | "schema" | "language_modeling", prompts: string[]) => {
    const spans = planSpans(tokenizer, { kind: "span", form, prompts });
    return "refused" in spans
      ? spans
      : spans.map(({ context, continuation }) => [context.length, continuation.length]);
  };

  it("of choices begin where they part, behind a begin token", () => {
    expect(lengths("multiple_choice", ["ab c", "ab def"])).toEqual([
      [4, 1],
      [4, 3],
    ]);
    expect(lengths("multiple_choice", ["ab", "abc"])).toEqual([
      [3, 0],
      [3, 1],
    ]);
  });

  it("of schemas are the end that they share", () => {
    expect(lengths("schema", ["xa end", "yyb end"])).toEqual([
      [3, 4],
      [4, 4],
    ]);
  });

  it("of words are behind the prompt, which must be the beginning", () => {
    expect(lengths("language_modeling", ["ab", "ab c"])).toEqual([[3, 2]]);
    expect(lengths("language_modeling", ["ab", "ax c"])).toHaveProperty("refused");
    expect(lengths("language_modeling", ["ab", "ab"])).toHaveProperty("refused");
  });

  it("read names of special tokens as text", () => {
    const name = tokenizer.idToToken(tokenizer.special.bos!)!;
    expect(lengths("multiple_choice", [`${name}a`, `${name}b`])).toEqual([
      [1 + name.length, 1],
      [1 + name.length, 1],
    ]);
  });
});

describe("answers of CORE", () => {
  const tokenizer = createByteTokenizer();
  /** Likes some bytes more than others, whatever came before. */
  const model = (likes: Readonly<Record<string, number>>) =>
    new ScriptedLanguageModel({
      tokenizer,
      next: () => {
        const logits = new Float32Array(tokenizer.vocabularySize);
        for (const [letter, value] of Object.entries(likes)) logits[tokenizer.encode(letter)[0]!] = value;
        return logits;
      },
    });
  const accuracy = async (name: string, row: Record<string, unknown>, likes: Record<string, number>) => {
    const { task } = resolveTask(`${name}|0`).tasks[0]!;
    const { metrics } = await runTask(task, { evaluated: [row], pool: [row] }, model(likes), { shots: 0 });
    return metrics.get("accuracy");
  };

  it("are those with the least mean loss per token, however long", async () => {
    // Twelve good tokens are likelier on the mean than one middling one, though not in the sum.
    const row = choice("q", 1, ["b", "aaaaaaaaaaaa"]);
    expect(await accuracy("core:copa", row, { a: 9, b: 8 })).toBe(1);
    expect(await accuracy("core:copa", row, { a: 8, b: 9 })).toBe(0);
  });

  it("are the first where two are equal", async () => {
    expect(await accuracy("core:copa", choice("q", 0, ["aa", "aa"]), { a: 3 })).toBe(1);
    expect(await accuracy("core:copa", choice("q", 1, ["ab", "ba"]), { a: 3, b: 3 })).toBe(0);
  });

  it("without tokens win in the first place and nowhere else", async () => {
    expect(await accuracy("core:copa", choice("q", 0, ["a", "ab"]), { b: 9 })).toBe(1);
    expect(await accuracy("core:copa", choice("q", 0, ["ab", "a"]), { b: 9 })).toBe(1);
    expect(await accuracy("core:copa", choice("q", 1, ["ab", "a"]), { b: 9 })).toBe(0);
  });

  it("of words are right when each token is the likeliest", async () => {
    // The blank of the delimiter is scored too: the prompt has lost it.
    expect(await accuracy("core:coqa", words("q", "  "), { " ": 2 })).toBe(1);
    expect(await accuracy("core:coqa", words("q", " a"), { " ": 2, a: 1 })).toBe(0);
  });

  it("of schemas are found by the end they share", async () => {
    const row = { context_options: ["a", "b"], continuation: "end", gold: 0 };
    expect(await accuracy("core:winograd", row, {})).toBe(1);
  });

  it("stop the run where a document cannot be asked, or are fewer", async () => {
    const merging = { ...tokenizer, encode: (text: string) => tokenizer.encode(text.replaceAll(" b", "B")) };
    const task = coreTask({
      label: "own",
      form: "language_modeling",
      shots: 0,
      file: "own.jsonl",
      delimiter: " ",
    });
    const rows = [words("a", "b"), words("a", "c")];
    const scripted = new ScriptedLanguageModel({
      tokenizer: merging,
      next: () => new Float32Array(tokenizer.vocabularySize),
    });
    const run = (allowDropped: boolean) =>
      runTask(task, { evaluated: rows, pool: rows }, scripted, { allowDropped });
    await expect(run(false)).resolves.toMatchObject({ dropped: [] });
    const shorter = { ...tokenizer, encode: (text: string) => tokenizer.encode(text.replaceAll("a b", "X")) };
    const other = new ScriptedLanguageModel({
      tokenizer: shorter,
      next: () => new Float32Array(tokenizer.vocabularySize),
    });
    const dropping = (allowDropped: boolean) =>
      runTask(task, { evaluated: rows, pool: rows }, other, { allowDropped });
    await expect(dropping(false)).rejects.toMatchObject({ code: "DATA_INVALID" });
    const result = await dropping(true);
    expect(result.dropped).toEqual([{ doc: 0, reason: expect.stringContaining("tokens of its prompt") }]);
    expect(result.samples).toHaveLength(1);
  });

  it("lose the beginning of a prompt that is too long, but no part of what is scored", async () => {
    const short = new ScriptedLanguageModel({
      tokenizer,
      contextLength: 8,
      next: () => new Float32Array(tokenizer.vocabularySize),
    });
    const task = coreTask({ label: "own", form: "multiple_choice", shots: 0, file: "own.jsonl" });
    const rows = [
      { query: "a long question", choices: ["a", "b"], gold: 0 },
      { query: "q", choices: ["a", "and nine bytes"], gold: 0 },
    ];
    const run = (allowDropped: boolean) =>
      runTask(task, { evaluated: rows, pool: rows }, short, { allowDropped });
    await expect(run(false)).rejects.toMatchObject({ code: "DATA_INVALID" });
    const { dropped, truncated, samples } = await run(true);
    expect(dropped).toEqual([{ doc: 1, reason: expect.stringMatching(/13 tokens, and the model reads 8/) }]);
    expect([samples.length, truncated]).toEqual([1, 2]);
  });
});

describe("coreScore", () => {
  it("is the mean of accuracies from which guessing is taken off", () => {
    const score = coreScore(
      new Map([
        ["copa", 0.75],
        ["jeopardy", 0.1],
        ["boolq", 0.5],
      ]),
    );
    expect(score.centred.get("copa")).toBeCloseTo(0.5, 12);
    expect(score.centred.get("boolq")).toBeCloseTo(-0.12 / 0.38, 12);
    expect(score.metric).toBeCloseTo((0.5 + 0.1 - 0.12 / 0.38) / 3, 12);
  });
});
