import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** One run of a task in lm-evaluation-harness. */
export interface HarnessRun {
  /** Of the processor. */
  readonly seconds: number;
  /** Of the clock. */
  readonly wall_seconds: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** lm-evaluation-harness in a process that stays, so that its runs and our own can take turns. */
export interface HarnessPeer {
  /** @param plan its place among those of plans.json; the first run of a plan and batch size has a warm-up before it */
  run(plan: number, batchSize: number): Promise<HarnessRun>;
  end(): void;
}

/** Starts it on a folder with a model, its tokenizer and plans.json. @param python has lm_eval */
export function startHarness(python: string, folder: string): HarnessPeer {
  const script = fileURLToPath(new URL("peers/harness_tasks.py", import.meta.url));
  const child = spawn(python, [script, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(plan, batchSize) {
      child.stdin.write(`${JSON.stringify({ plan, batch_size: batchSize })}\n`);
      for (;;) {
        const { done, value } = await lines.next();
        if (done) throw new Error("lm-evaluation-harness has ended: what it says stands above");
        // The harness has things of its own to say.
        if (value.startsWith('{"seconds"')) return JSON.parse(value) as HarnessRun;
      }
    },
    end: () => void child.stdin.end(),
  };
}
