import { describe, expect, it } from "vitest";
import { manualClock } from "../../src/base/index.js";
import { liveTable } from "../../src/cli/liveTable.js";
import type { ServerEvent } from "../../src/server/index.js";

/** The two sequences in use: up by a number of lines, and clear what is below. */
const ERASED = new RegExp(`(${String.fromCharCode(27)}\\[\\d+A${String.fromCharCode(27)}\\[J)|\n`);

/** A screen of its own: what was written, and the lines that a terminal would show in the end. */
function screen(terminal: boolean, columns = 60) {
  let written = "";
  const clock = manualClock();
  const table = liveTable(
    { stdout: () => {}, stderr: (text) => (written += text), terminal, columns },
    clock,
  );
  return {
    table,
    clock,
    written: () => written,
    shown() {
      const lines: string[] = [];
      for (const part of written.split(ERASED).filter((text) => text !== undefined)) {
        const up = /^.\[(\d+)A/.exec(part);
        if (up) lines.splice(lines.length - Number(up[1]));
        else if (part !== "") lines.push(part);
      }
      return lines;
    },
  };
}

const progress = (client: number, done: number, loss: number | null = null): ServerEvent => ({
  kind: "progress",
  round: 1,
  client,
  done,
  total: 4,
  loss,
});

describe("the live table", () => {
  it("draws one line for each client at work, anew as it gets on, on a terminal", () => {
    const { table, clock, shown } = screen(true);
    table.see({ kind: "round_started", round: 1, rounds: 1, clients: [1, 3] });
    table.see({ kind: "assigned", round: 1, client: 3, process: 2 });
    clock.advance(100);
    table.see({ kind: "assigned", round: 1, client: 1, process: 1 });
    expect(shown().map((line) => line.trim())).toEqual([
      "client 1  waiting for process 1",
      "client 3  waiting for process 2",
    ]);
    clock.advance(100);
    table.see(progress(3, 2, 0.5));
    expect(shown()).toHaveLength(2);
    expect(shown()[1]).toMatch(/client 3 +█{10}░{10} 2\/4 {2}loss 0\.5000/);
    table.print("a line that stays");
    expect(shown()[0]).toBe("a line that stays");
    expect(shown()).toHaveLength(3);
    table.close();
    expect(shown()).toEqual(["a line that stays"]);
  });

  it("redraws no more often than a reader can see, and no wider than the terminal is", () => {
    const { table, written, shown } = screen(true, 20);
    table.see({ kind: "round_started", round: 1, rounds: 1, clients: [1] });
    table.see(progress(1, 1));
    const before = written();
    for (let done = 2; done <= 4; done++) table.see(progress(1, done));
    expect(written()).toBe(before);
    for (const line of shown()) expect(line.length).toBeLessThan(20);
  });

  it("prints only the lines that stay elsewhere", () => {
    const { table, clock, written } = screen(false);
    table.see({ kind: "round_started", round: 1, rounds: 1, clients: [1] });
    table.see(progress(1, 1));
    clock.advance(1000);
    table.see(progress(1, 4));
    expect(written()).toBe("");
    table.print("a line");
    table.close();
    expect(written()).toBe("a line\n");
  });
});
