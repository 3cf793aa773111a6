import { describe, expect, it } from "vitest";
import { manualClock, type Pace } from "../../src/base/index.js";
import { durationText, progressText } from "../../src/cli/evaluationProgress.js";
import { liveTable } from "../../src/cli/liveTable.js";
import type { HostProgress } from "../../src/trainers/index.js";

const evaluating = (note: string, pace?: Pace): HostProgress => ({
  stage: "evaluate",
  clientId: 0,
  done: 0,
  total: 1,
  note,
  ...(pace && { pace }),
});
const at = (done: number, rate: number | null = 12.5, timeLeft: number | null = 200): Pace => ({
  done,
  total: 3000,
  rate,
  timeLeft,
});

describe("how far an evaluation is", () => {
  it("is said with its rate and the time that is left, as far as they are known", () => {
    expect(progressText(evaluating("lighteval", at(500)))).toBe(
      "evaluating lighteval: 500 of 3000 (16 %), 13 a second, 3 min 20 s left",
    );
    expect(progressText(evaluating("lighteval", at(1, 0.25, 3600)))).toBe(
      "evaluating lighteval: 1 of 3000 (0 %), 0.25 a second, 1 h 0 min left",
    );
    expect(progressText(evaluating("lighteval", at(0, null, null)))).toBe(
      "evaluating lighteval: 0 of 3000 (0 %)",
    );
    expect(progressText(evaluating("lighteval"))).toBe("evaluating lighteval 0/1");
    expect(progressText({ stage: "test", clientId: 0, done: 0, total: 1 })).toBe("testing  0/1");
  });

  it.each([
    [0.2, "1 s"],
    [59, "59 s"],
    [60, "1 min 0 s"],
    [3599.5, "1 h 0 min"],
    [7300, "2 h 2 min"],
  ])("%d seconds are %s", (seconds, text) => expect(durationText(seconds)).toBe(text));

  it("is a line now and then where lines stay, and none for what is soon done", () => {
    const lines: string[] = [];
    const clock = manualClock();
    const output = {
      stdout: () => {},
      stderr: (line: string) => void lines.push(line),
      terminal: false,
      columns: 80,
    };
    const table = liveTable(output, clock);
    const see = (progress: HostProgress) => table.see({ kind: "testing", round: 2, progress });
    see(evaluating("quick"));
    see(evaluating("quick", at(10)));
    see(evaluating("slow"));
    for (let second = 0; second < 70; second++) {
      clock.advance(1000);
      see(evaluating("slow", at(second)));
    }
    expect(lines).toEqual([
      "round 2: evaluating slow: 29 of 3000 (0 %), 13 a second, 3 min 20 s left\n",
      "round 2: evaluating slow: 59 of 3000 (1 %), 13 a second, 3 min 20 s left\n",
    ]);
  });

  it("is drawn anew on a terminal", () => {
    let written = "";
    const clock = manualClock();
    const output = {
      stdout: () => {},
      stderr: (text: string) => {
        written += text;
      },
      terminal: true,
      columns: 100,
    };
    const table = liveTable(output, clock);
    for (const done of [1, 2]) {
      clock.advance(1000);
      table.see({ kind: "testing", round: 1, progress: evaluating("lighteval", at(done)) });
    }
    table.close();
    expect(written).toContain("evaluating lighteval: 2 of 3000");
    expect(written.endsWith("\x1b[1A\x1b[J")).toBe(true);
  });
});
