// Rows per second and largest memory of `score --scorer equality,ifeval` on 10,000 and 100,000 rows, each in a process of
// its own, JSON lines in and the document out; and 10,000 questions to a judge behind a local server that answers after
// 50 ms, 32 at a time, which could be 640/s.
// Run: node --import tsx bench/scoring.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const RUN = fileURLToPath(new URL("./scoringRun.ts", import.meta.url));
const DELAY = 50;
const AT_ONCE = 32;
const WORDS =
  "the of and to in a is that for it as was with be by on not he weather garden letter music river".split(
    " ",
  );

const folder = await mkdtemp(join(tmpdir(), "bench-scoring-"));
try {
  for (const rows of [10_000, 100_000]) {
    const input = join(folder, `${rows}.jsonl`);
    await writeRows(input, rows);
    console.log(JSON.stringify({ rows, ...(await measured(["score", input])) }));
  }
  const server = spawn(process.execPath, ["--import", "tsx", RUN, "serve", String(DELAY)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [address] = (await once(server.stdout, "data")) as [Buffer];
  try {
    const found = await measured(["judge", String(address).trim(), "10000", String(AT_ONCE)]);
    const limit = (AT_ONCE * 1000) / DELAY;
    console.log(JSON.stringify({ judge_calls: 10_000, limit_per_second: limit, ...found }));
  } finally {
    server.kill();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measured(words: string[]): Promise<object> {
  const run = spawn(process.execPath, ["--import", "tsx", RUN, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const piece of run.stdout) text += piece;
  return JSON.parse(text) as object;
}

/** Answers of about sixty words, with the two instructions most common in IFEval. */
async function writeRows(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  for (let index = 0; index < count; index++) {
    const words = Array.from({ length: 60 }, (_, place) => WORDS[(index * 7 + place * 13) % WORDS.length]);
    const row = {
      key: index,
      prompt: "Write about the garden.",
      instruction_id_list: ["punctuation:no_comma", "length_constraints:number_words"],
      kwargs: [{}, { num_words: 50, relation: "at least" }],
      generated_answer: `${words.join(" ")}.`,
      expected_answer: index % 3 === 0 ? `${words.join(" ")}.` : "another answer",
    };
    if (!file.write(`${JSON.stringify(row)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}
