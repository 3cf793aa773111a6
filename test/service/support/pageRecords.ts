import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRecord, type LoopRecord } from "../../../src/results/index.js";
import { outcome } from "../../results/fixtures.js";

const ROUNDS = 12;
const QUESTIONS = ["the capital of France", "2 + 2", "the colour of snow", "the author of Faust"];

/** Records as runs leave them: `tuned` and `plain` that ended, `live` that goes on. */
export async function pageRecords(base: string): Promise<{ readonly live: LoopRecord }> {
  const folder = join(base, "results");
  mkdirSync(folder, { recursive: true });
  for (const [runId, gain] of [
    ["tuned", 0.05],
    ["plain", 0.035],
  ] as const) {
    const record = await open(folder, runId);
    for (let round = 1; round <= ROUNDS; round += 1) await appendRound(record, round, gain);
    await record.finish();
    for (const round of [6, ROUNDS]) writeSamples(folder, runId, round, gain);
  }
  const live = await open(folder, "live");
  await appendRound(live, 1, 0.04);
  return { live };
}

/** A round whose accuracy grows by `gain` each time. */
export async function appendRound(record: LoopRecord, round: number, gain: number): Promise<void> {
  const [accuracy, loss] = [0.3 + gain * round, 2 / (1 + gain * 8 * round)];
  const metrics = { arc_easy_acc: accuracy, arc_easy_acc_stderr: 0.03, perplexity: Math.exp(loss), loss };
  const payload = { higher_is_better: { arc_easy_acc: true, perplexity: false, loss: false } };
  const details = { loss_ci_low: loss - 0.05, loss_ci_high: loss + 0.08 };
  await record.append({ round, accuracy, elapsed_time: round * 31.4 }, [
    outcome("lighteval", metrics, { payload, details }),
  ]);
}

/** A run `long` whose cell in round r and column c, from 0, is r + c. */
export async function longRecord(base: string, size: { rounds: number; columns: number }): Promise<void> {
  const metrics = Array.from({ length: size.columns - 1 }, (_, place) => `metric_${place + 1}`);
  const config = { results: { types: ["round", ...metrics] } };
  const record = await createRecord({ folder: join(base, "results"), runId: "long", name: "page", config });
  for (let round = 1; round <= size.rounds; round += 1) {
    await record.append({ round, ...Object.fromEntries(metrics.map((name, at) => [name, round + at + 1])) });
  }
  await record.finish();
}

function open(folder: string, runId: string): Promise<LoopRecord> {
  const config = { results: { types: "round, accuracy, elapsed_time" } };
  return createRecord({ folder, runId, name: "page", config });
}

function writeSamples(folder: string, runId: string, round: number, gain: number): void {
  mkdirSync(join(folder, runId, "samples"), { recursive: true });
  const lines = Array.from({ length: 40 }, (_, doc) => {
    const right = (doc * 7) % 40 < 40 * (0.3 + gain * round);
    const gold = `answer ${doc}`;
    return JSON.stringify({
      ...{ evaluator: "lighteval", task: "arc_easy", doc, gold },
      requests: [{ kind: "generate", prompts: [`Question: What is ${QUESTIONS[doc % 4]}?\nAnswer:`] }],
      // What a model says is data: none of it may become a part of the page.
      answers: [{ text: right ? gold : `<img src="//elsewhere.example/${doc}" onerror="alert(1)"> no idea` }],
      scores: { acc: right ? 1 : 0, length: gold.length },
    });
  });
  writeFileSync(join(folder, runId, "samples", `${round}-lighteval-arc_easy.jsonl`), `${lines.join("\n")}\n`);
}
