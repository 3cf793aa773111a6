import { describe, expect, it } from "vitest";
import { differingCells, type RowsOfRun } from "../../src/results/index.js";
import { LOGGED_ITEMS } from "../../src/server/index.js";

type Cell = number | string | null;

function rows(
  columns: string[],
  values: Cell[][],
  { firstRound = 1, units = {} }: { firstRound?: number; units?: Record<string, string> } = {},
): RowsOfRun {
  return {
    table: {
      columns,
      rows: values.map((row) => new Map(row.map((value, place) => [columns[place]!, value]))),
    },
    firstRound,
    columns: Object.fromEntries(Object.entries(units).map(([column, unit]) => [column, { unit }])),
  };
}

describe("a run and its repetition", () => {
  it("differ where a cell does, to the last bit, by round and then by column", () => {
    const recorded = rows(
      ["round", "accuracy", "note"],
      [
        [1, 0.1 + 0.2, "a"],
        [2, 0.5, "b"],
      ],
    );
    const reproduced = rows(
      ["round", "accuracy", "note"],
      [
        [1, 0.3, "a"],
        [2, null, "c"],
      ],
    );
    expect(differingCells(recorded, reproduced)).toEqual({
      differences: [
        { round: 1, column: "accuracy", recorded: 0.30000000000000004, reproduced: 0.3 },
        { round: 2, column: "accuracy", recorded: 0.5, reproduced: null },
        { round: 2, column: "note", recorded: "b", reproduced: "c" },
      ],
      rounds: 2,
      compared: ["round", "accuracy", "note"],
      left: [],
    });
  });

  it("do not differ by times: the server's own, and whatever has a unit of time", () => {
    const columns = ["round", "elapsed_time", "evaluation_latency", "evaluation_speed", "evaluation_time"];
    const units = { evaluation_latency: "ms", evaluation_speed: "tokens/s", evaluation_time: "items" };
    const { differences, left } = differingCells(
      rows(columns, [[1, 1, 1, 1, 1]], { units }),
      rows(columns, [[1, 2, 2, 2, 2]]),
    );
    expect(differences.map(({ column }) => column)).toEqual(["evaluation_time"]);
    expect(left).toEqual(["elapsed_time", "evaluation_latency", "evaluation_speed"]);
  });

  it.each(["nats", "bits per byte", "rows", "fraction", "squared target units", "rounds", "updates"])(
    "%s is no unit of time",
    (unit) => {
      const [a, b] = [1, 2].map((value) => rows(["x"], [[value]], { units: { x: unit } }));
      expect(differingCells(a!, b!).differences).toHaveLength(1);
    },
  );

  it("know every time that the server itself records by its name", () => {
    const { left } = differingCells(rows([...LOGGED_ITEMS], []), rows([...LOGGED_ITEMS], []));
    expect(left).toEqual(["elapsed_time", "processing_time", "comm_time", "round_time"]);
  });

  it("differ where one has a row or a column that the other lacks", () => {
    const recorded = rows(["round", "old"], [[1, 7], [2, 8]]); // biome-ignore format: rows
    const reproduced = rows(["round", "new"], [[2, 9], [3, 9]]); // biome-ignore format: rows
    expect(differingCells(recorded, reproduced).differences).toEqual([
      { round: 1, column: "round", recorded: 1, reproduced: null },
      { round: 2, column: "old", recorded: 8, reproduced: null },
      { round: 2, column: "new", recorded: null, reproduced: 9 },
      { round: 3, column: "round", recorded: null, reproduced: 3 },
    ]);
    expect(differingCells(recorded, recorded, new Set(["old"])).compared).toEqual(["round"]);
  });

  it("are set side by side by the first round where rows do not say which they are", () => {
    const recorded = rows(["accuracy"], [[0.1], [0.2]], { firstRound: 0 });
    const { differences } = differingCells(recorded, rows(["accuracy"], [[0.1], [0.3]], { firstRound: 0 }));
    expect(differences).toEqual([{ round: 1, column: "accuracy", recorded: 0.2, reproduced: 0.3 }]);
  });
});
