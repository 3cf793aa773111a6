// One measurement of bench/scoring.ts in a process of its own: prints seconds, rows per second and the largest memory.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runCommandLine } from "../src/cli/commandLine.js";
import { scorers } from "../src/scoring/index.js";
import { modelJudges } from "../src/tasks/index.js";

const [what, target = "", count = "0", atOnce = "1"] = process.argv.slice(2);
if (what === "serve") serve(Number(target));
else if (what === "score") await score(target);
else await judge(target, Number(count), Number(atOnce));

/** A server that answers every chat after so many milliseconds; prints its address. */
function serve(delay: number): void {
  const answer = JSON.stringify({
    choices: [{ message: { role: "assistant", content: "Total rating: 3" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 5 },
  });
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(answer);
    }, delay);
  });
  server.listen(0, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  });
}

async function score(input: string): Promise<void> {
  let bytes = 0;
  let errors = "";
  const start = performance.now();
  const status = await runCommandLine(["score", "--scorer", "equality,ifeval", "--input", input, "--json"], {
    stdout: (text) => {
      bytes += text.length;
    },
    stderr: (text) => {
      errors += text;
    },
    terminal: false,
    columns: 100,
  });
  if (status !== 0) throw new Error(errors);
  report(Number(/(\d+)\.jsonl$/.exec(input)![1]), start, { document_mb: Math.round(bytes / 1e6) });
}

async function judge(url: string, rows: number, concurrency: number): Promise<void> {
  function* questions() {
    for (let index = 0; index < rows; index++) {
      yield { input_query: `question ${index}`, expected_answer: "a", generated_answer: `answer ${index}` };
    }
  }
  const params = { judge_model: `${url}#stub`, concurrency };
  const start = performance.now();
  const surroundings = { judges: modelJudges() };
  const scoring = scorers.lookup("llamastack-llm-judge").score(questions(), params, undefined, surroundings);
  for await (const row of scoring.rows) if (row.error !== undefined) throw new Error(row.error);
  report(rows, start, {});
}

function report(rows: number, start: number, more: object): void {
  const seconds = (performance.now() - start) / 1000;
  const peak_mb = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    JSON.stringify({
      seconds: Number(seconds.toFixed(2)),
      per_second: Math.round(rows / seconds),
      peak_mb,
      ...more,
    }),
  );
}
