import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { elenchus, type Started, startElenchus } from "../support/commandLine.js";
import { columnOf, withoutTimes } from "../support/records.js";
import { smallGptConfig } from "../support/smallGptConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/*
 * A small GPT answers 1,100 questions after each of two rounds. Answers are written every few seconds, and when
 * 512 are there; a process that is killed then has more than half of them to do.
 */
const folder = temporaryFolder("killed-evaluations");
const results = join(folder, "runtime", "results");
const QUESTIONS = 1100;
const PIECE = 512;
const CONFIG = smallGptConfig(
  `
[evaluation]
type = "lighteval"
tasks = ["gsm8k"]
data_dir = "rows"
batch_size = "auto"
log_samples = true
`,
  { rounds: 2, layers: 2, width: 32, trainer: 'language_engine = "tensorflow"' },
);
const command = (...words: string[]) => [...words, "--log", "info"];

/** Requests that were answered, by file, as often as they stand there. */
function answersIn(of: string): string[][] {
  const names = readdirSync(of).filter((name) => name.endsWith(".jsonl"));
  return names.map((name) => {
    const lines = readFileSync(join(of, name), "utf8").split("\n");
    // The last line has no end yet, or nothing behind it.
    return lines.slice(0, -1).map((line) => JSON.parse(line).request as string);
  });
}

/** Kills a process once so many evaluations are done, and another has written its first piece. */
async function killHalfWay({ child, finished }: Started, of: string, done: number): Promise<void> {
  let running = true;
  void finished.then(() => (running = false));
  const counts = () => {
    try {
      return answersIn(of).map((requests) => requests.length);
    } catch {
      return [];
    }
  };
  while (running && !(counts().length > done && counts().every((count) => count >= PIECE))) await pause(10);
  child.kill("SIGKILL");
  expect((await finished).signal).toBe("SIGKILL");
  // Workers end with their parent, but not in the same instant.
  for (let before = -1, now = total(counts()); before !== now; now = total(counts())) {
    before = now;
    await pause(300);
  }
  expect(Math.min(...counts())).toBeLessThan(QUESTIONS);
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** All questions are answered, and each was asked once. */
function expectEachOnce(of: string, evaluations: number): void {
  const files = answersIn(of);
  expect(files).toHaveLength(evaluations);
  for (const requests of files) {
    expect(requests).toHaveLength(QUESTIONS);
    expect(new Set(requests).size).toBe(QUESTIONS);
  }
}

beforeAll(async () => {
  mkdirSync(join(folder, "runtime"));
  writeFileSync(join(folder, "runtime", "day.txt"), "the sun rises and the sun sets. ".repeat(60));
  writeFileSync(join(folder, "config.toml"), CONFIG);
  const rows = join(folder, "rows", "openai__gsm8k", "main");
  mkdirSync(rows, { recursive: true });
  const lines = Array.from({ length: QUESTIONS }, (_, place) =>
    JSON.stringify({ question: `${place} suns?`, answer: `#### ${place % 7}` }),
  );
  writeFileSync(join(rows, "test.jsonl"), lines.join("\n"));
  const whole = await elenchus(command("run", "config.toml", "--run-id", "whole"), folder);
  expect(whole.status, whole.stderr).toBe(0);
}, 240_000);

describe("an evaluation that was killed half way", () => {
  it("goes on where it stopped when the run is resumed, and leaves the same record", async () => {
    const answers = join(results, "cut", "answers");
    const words = command("run", "config.toml", "--run-id", "cut");
    await killHalfWay(startElenchus(words, folder), answers, 1);
    expect(columnOf(join(results, "cut.csv"), "round")).toEqual(["1"]);

    const again = await elenchus([...words, "--resume"], folder);
    expect(again.status, again.stderr).toBe(0);
    expectEachOnce(answers, 2);
    expect(columnOf(join(results, "cut.csv"), "round")).toEqual(["1", "2"]);
    expect(withoutTimes(join(results, "cut.csv"))).toEqual(withoutTimes(join(results, "whole.csv")));
    for (const round of [1, 2]) {
      const samples = (run: string) =>
        readFileSync(join(results, run, "samples", `${round}-lighteval-gsm8k.jsonl`), "utf8");
      expect(samples("cut")).toBe(samples("whole"));
    }
  }, 240_000);

  it("goes on when the same model is evaluated once more", async () => {
    const checkpoint = join(folder, "runtime", "checkpoints", "whole", "checkpoint_2.safetensors");
    const answers = join(results, "general", "default", ".answers");
    const evaluate = (id: string) =>
      command("evaluate", "config.toml", "--checkpoint", checkpoint, "--run-id", id, "--json");
    await killHalfWay(startElenchus(evaluate("first"), folder), answers, 0);

    const again = await elenchus(evaluate("second"), folder);
    expect(again.status, again.stderr).toBe(0);
    expectEachOnce(answers, 1);
    const { gsm8k } = JSON.parse(again.stdout).results.lighteval;
    expect(String(gsm8k)).toBe(columnOf(join(results, "whole.csv"), "evaluation_gsm8k")[1]);
  }, 240_000);
});
