import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GenerationRequest, ScriptedLanguageModel } from "../../src/language/index.js";
import { type MixEvalRow, mixEvalRowSchema, type Release } from "../../src/scoring/index.js";
import { generateResponses } from "../../src/tasks/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("mixeval-generation");
const question = (prompt: string): MixEvalRow =>
  mixEvalRowSchema.parse({
    problem_type: "free-form",
    context: null,
    prompt,
    target: ["x"],
    benchmark_name: "TriviaQA",
  });
const rowsOf = (prompts: string) =>
  new Map([...prompts].map((letter, place) => [`${place}`, question(`${letter}?`)]));
const RELEASE: Release = {
  version: "2024-08-11",
  splits: [
    { benchmark: "mixeval", kind: "freeform", file: "free-form.json", rows: rowsOf("abcadb") },
    { benchmark: "mixeval_hard", kind: "freeform", file: "hard.json", rows: rowsOf("ba") },
  ],
};
const letterOf = ({ prompt }: GenerationRequest) => {
  const turns = prompt as readonly { content: string }[];
  return /Question: (.)\?/.exec(turns.at(-1)!.content)![1]!;
};
const talker = () =>
  new ScriptedLanguageModel({ answer: (request) => `${letterOf(request)} it is, naïvely` });
const request = (root: string, model = talker()) => ({
  model,
  reference: "https://host/v1#m",
  modelName: "m",
  release: RELEASE,
  root: join(folder, root),
  baseModel: false,
  settings: { maxNewTokens: 8 },
  concurrency: 2,
});
const FILE = "m/mixeval/2024-08-11/m_close_freeform.jsonl";
const HARD = "m/mixeval_hard/2024-08-11/m_close_freeform_hard.jsonl";
const STATUS = "m/mixeval/2024-08-11/status_close_freeform.json";
const read = (root: string, name: string) => readFileSync(join(folder, root, name), "utf8");
const lines = (root: string, name: string) =>
  read(root, name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; response: string; formated_input: string });

describe("answers to a release", () => {
  it("asks each different prompt once, over both benchmarks, and writes all rows in order", async () => {
    const model = talker();
    const made = await generateResponses(request("once", model));
    expect(made).toMatchObject({ rows: 8, answered: 8, calls: 4 });
    expect(model.asked).toHaveLength(4);
    expect(lines("once", FILE).map(({ id, response }) => `${id}${response[0]}`)).toEqual(
      [..."abcadb"].map((letter, place) => `${place}${letter}`),
    );
    expect(lines("once", HARD).map(({ response }) => response[0])).toEqual(["b", "a"]);
    expect(lines("once", FILE)[0]).toEqual({
      problem_type: "free-form",
      context: null,
      prompt: "a?",
      target: ["x"],
      benchmark_name: "TriviaQA",
      formated_input: "Question: a?\nAnswer the question shortly.",
      id: "0",
      response: "a it is, naïvely",
    });
    expect(JSON.parse(read("once", STATUS)).status).toEqual({
      status: "complete",
      rows: 6,
      answered: 6,
      calls: 4,
    });
  });

  it("goes on after a kill at any byte, asks nothing twice, and ends with the same file", async () => {
    await generateResponses(request("whole"));
    const whole = readFileSync(join(folder, "whole", FILE));
    const status = JSON.parse(read("whole", STATUS)) as { status: object };
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (bytes) => {
        const root = `killed-${run++}`;
        await generateResponses(request(root));
        truncateSync(join(folder, root, FILE), bytes);
        writeFileSync(
          join(folder, root, STATUS),
          JSON.stringify({ ...status, status: { ...status.status, status: "in progress" } }),
        );
        const model = talker();
        await generateResponses(request(root, model));
        expect(readFileSync(join(folder, root, FILE)).equals(whole)).toBe(true);
        const kept = whole.subarray(0, bytes).toString().split("\n").slice(0, -1);
        const held = new Set([...kept.map((line) => JSON.parse(line).prompt), "a?", "b?"]);
        expect(model.asked).toHaveLength(["a?", "b?", "c?", "d?"].filter((one) => !held.has(one)).length);
      }),
      { numRuns: 12 },
    );
  });

  it("refuses to go on with other settings, and to write over answers of unknown origin", async () => {
    await generateResponses(request("settings"));
    const other = { ...request("settings"), systemPrompt: "Be brief.", settings: { maxNewTokens: 9 } };
    await expect(generateResponses(other)).rejects.toThrowError(
      /system_prompt was null and is "Be brief\."; max_new_tokens was 8 and is 9/,
    );
    writeFileSync(join(folder, "settings", STATUS), "{");
    await expect(generateResponses(request("settings"))).rejects.toThrowError(
      /RECORD_CORRUPT|how the answers/,
    );
    const stray = request("stray");
    await generateResponses(stray);
    const { rmSync } = await import("node:fs");
    rmSync(join(folder, "stray", STATUS));
    await expect(generateResponses(stray)).rejects.toThrowError(/no file beside it says how/);
  });

  it("loses one prompt that cannot be answered, not the others of its batch", async () => {
    const model = new ScriptedLanguageModel({
      answer: (asked) => {
        if (letterOf(asked) === "c") throw new Error("too rude");
        return letterOf(asked);
      },
    });
    const made = await generateResponses(request("failing", model));
    expect(made).toMatchObject({ rows: 8, answered: 7, calls: 3 });
    expect(String(made.firstFailure)).toMatch(/too rude/);
    expect(JSON.parse(read("failing", STATUS)).status).toMatchObject({ status: "in progress", answered: 5 });
    const again = talker();
    expect(await generateResponses(request("failing", again))).toMatchObject({ answered: 8, calls: 1 });
    expect(lines("failing", FILE).map(({ response }) => response[0])).toEqual([..."abcadb"]);
  });

  it("gives up where nothing is answered, and keeps the system prompt in front of each question", async () => {
    const silent = new ScriptedLanguageModel({
      answer: () => {
        throw new Error("no such model");
      },
    });
    await expect(generateResponses(request("silent", silent))).rejects.toThrowError("no such model");
    const model = talker();
    await generateResponses({ ...request("system", model), systemPrompt: "Be brief." });
    expect((model.asked[0] as GenerationRequest).prompt).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Question: a?\nAnswer the question shortly." },
    ]);
  });

  it("asks a base model with five worked examples, as one text that the file keeps", async () => {
    const model = new ScriptedLanguageModel({ answer: () => "y" });
    await generateResponses({ ...request("base", model), baseModel: true });
    const sent = lines("base", FILE)[0]!.formated_input;
    expect(sent).toHaveLength(3468 + "Question: a?\nAnswer the question shortly.\n".length);
    expect((model.asked[0] as GenerationRequest).prompt).toBe(sent);
  });
});
