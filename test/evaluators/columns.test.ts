import { describe, expect, it } from "vitest";
import type { ElenchusError } from "../../src/base/index.js";
import { ColumnClaims, tableEntries } from "../../src/evaluators/index.js";

const entriesOf = (...names: string[]) =>
  tableEntries({ evaluation: names.map((name) => ({ type: "mock", name })) });
const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));

/** "ok", or the refusal of these metrics and details. */
function claim(
  claims: ColumnClaims,
  entry: { index: number; name: string },
  metrics: string[],
  details: string[] = [],
): string {
  try {
    claims.claim(entry, { metrics: named(...metrics), details: named(...details) });
    return "ok";
  } catch (error) {
    expect((error as ElenchusError).code).toBe("RESULT_INVALID");
    return (error as Error).message;
  }
}

describe("ColumnClaims", () => {
  const [only] = entriesOf("only");

  it("lets one evaluator use its names again in every round", () => {
    const claims = new ColumnClaims([only!]);
    expect(claim(claims, only!, ["a", "b"])).toBe("ok");
    expect(claim(claims, only!, ["B", "c"], ["d"])).toBe("ok");
  });

  it.each([
    [["Top-5", "top 5"], [], "evaluation_top_5"],
    [["a"], ["A"], "evaluation_a"],
    [["🙂"], [], "nothing of its name"],
    [[""], [], "nothing of its name"],
    [["ok"], ["..."], "nothing of its name"],
    [["Status"], [], "reserved column evaluation_status"],
    [["primary-value"], [], "reserved column evaluation_primary_value"],
    [["clients_accuracy_mean"], [], "reserved column evaluation_clients_accuracy_mean"],
  ])("refuses %j with details %j", (metrics, details, message) => {
    expect(claim(new ColumnClaims([only!]), only!, metrics, details)).toContain(message);
  });

  it("takes names that are only near the reserved ones", () => {
    const names = ["status_code", "clients", "my_primary_value", "clientsx"];
    expect(claim(new ColumnClaims([only!]), only!, names)).toBe("ok");
  });

  it("keeps several evaluators apart by their names", () => {
    const [first, second] = entriesOf("first", "second");
    const claims = new ColumnClaims([first!, second!]);
    expect(claim(claims, first!, ["score"])).toBe("ok");
    expect(claim(claims, second!, ["score"])).toBe("ok");
  });

  it("refuses a column across tables, whoever comes second, in later rounds too", () => {
    const [a, b] = entriesOf("a", "b");
    const claims = new ColumnClaims([a!, b!]);
    expect(claim(claims, a!, ["b_x"])).toBe("ok");
    expect(claim(claims, b!, ["x"])).toContain('evaluation_b_x, which belongs to the evaluator "a"');
    expect(claim(claims, b!, ["y"])).toBe("ok");
    expect(claim(claims, a!, ["b_y"])).toContain('belongs to the evaluator "b"');
  });

  it("refuses another table's own columns", () => {
    const [a, b] = entriesOf("a", "b");
    const claims = new ColumnClaims([a!, b!]);
    expect(claim(claims, a!, ["b_status"])).toContain('the status of "b"');
    expect(claim(claims, a!, ["a_primary_value"])).toContain('the primary_value of "a"');
  });

  it("keeps a later table named `clients` out of the clients' columns", () => {
    const [a, clients] = entriesOf("a", "clients");
    expect(claim(new ColumnClaims([a!, clients!]), clients!, ["x"])).toContain("reserved");
  });

  it("takes all columns of a result or none", () => {
    const [a, b] = entriesOf("a", "b");
    const claims = new ColumnClaims([a!, b!]);
    expect(claim(claims, a!, ["b_x", "status"])).toContain("reserved");
    expect(claim(claims, b!, ["x"])).toBe("ok");
  });
});
