import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { elenchus, type Finished } from "../support/commandLine.js";
import { columnOf, columnsOf, rowsOf } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/** How each way to fail is recorded: status, error code, and what of its cause must be said. */
const FAILURES: [how: string, status: string, code: string, cause: RegExp][] = [
  ["throws", "failed", "EVALUATION_FAILED", /the judge is asleep/],
  ["throws_text", "failed", "EVALUATION_FAILED", /only a text/],
  ["rejects_nothing", "failed", "EVALUATION_FAILED", /undefined/],
  ["factory", "failed", "EVALUATION_FAILED", /the factory is closed/],
  ["wrong_type", "failed", "RESULT_INVALID", /the number 7/],
  ["wrong_field", "failed", "RESULT_INVALID", /higher_is_better.*higherIsBetter/],
  ["nan", "failed", "RESULT_INVALID", /NaN/],
  ["text_metric", "failed", "RESULT_INVALID", /score.*"0\.5"/],
  ["no_primary", "failed", "RESULT_INVALID", /"other"/],
  ["collision", "failed", "RESULT_INVALID", /"a b" and "A {2}B"/],
  ["reserved", "failed", "RESULT_INVALID", /"Status"/],
  ["nothing_left", "failed", "RESULT_INVALID", /😀/],
  ["cycle", "failed", "RESULT_INVALID", /metadata\.self|contains itself/],
  ["unknown_primary", "failed", "EVALUATION_CONFIG", /primary_metric is "speed".*score/],
  ["no_direction", "failed", "EVALUATION_CONFIG", /target/],
  ["blocks", "timeout", "EVALUATION_TIMEOUT", /timeout of 1 s/],
  ["never_settles", "timeout", "EVALUATION_TIMEOUT", /timeout of 1 s/],
  ["exits", "failed", "WORKER_DIED", /ended with exit code 0/],
  ["rejects_unheard", "failed", "WORKER_DIED", /nobody waits for this/],
];
const NOT_FAILURES: [how: string, status: string][] = [
  ["skips", "skipped"],
  ["part", "partial"],
];
const SPECIAL: Readonly<Record<string, string>> = {
  unknown_primary: 'how = "fine"\nprimary_metric = "speed"',
  no_direction: 'how = "fine"\ntarget = 0.5',
  blocks: 'how = "blocks"\ntimeout = 1',
  never_settles: 'how = "never_settles"\ntimeout = 1',
};

/** One healthy evaluator first and one last; between them everything that can go wrong, in round 2. */
function tables(strict: boolean): string {
  const failing = [...FAILURES, ...NOT_FAILURES].map(
    ([how]) => `
[[evaluation]]
type = "failing"
name = "${how}"
every = 2
fail_on_error = ${strict}
${SPECIAL[how] ?? `how = "${how}"`}
`,
  );
  return `
[[evaluation]]
type = "classification"

[[evaluation]]
type = "failing"
name = "second_round"
how = "second_round"
fail_on_error = ${strict}
${failing.join("")}
[[evaluation]]
type = "observer"
`;
}

const folder = temporaryFolder("evaluator-failures");
const fixture = fileURLToPath(new URL("./fixtures/failingEvaluators.ts", import.meta.url));
const results = join(folder, "runtime", "results");
const csv = (runId: string) => join(results, `${runId}.csv`);
const run = (config: string, runId: string, ...words: string[]) =>
  elenchus(["run", config, "--run-id", runId, "--import", fixture, "--json", ...words], folder);
const evaluation = (runId: string, file: string) =>
  JSON.parse(readFileSync(join(results, runId, "evaluations", file), "utf8"));

writeFileSync(join(folder, "lenient.toml"), smallConfig(tables(false)));
writeFileSync(join(folder, "strict.toml"), smallConfig(tables(true)));
writeFileSync(
  join(folder, "names.toml"),
  smallConfig(
    `
[[evaluation]]
type = "hostile"
name = "we,\\"ird\\n 😀 name"

[[evaluation]]
type = "many"
`,
    { rounds: 1 },
  ),
);

let lenient: Finished;
let strict: Finished;
beforeAll(async () => {
  [lenient, strict] = await Promise.all([run("lenient.toml", "lenient"), run("strict.toml", "strict")]);
}, 180_000);

describe.each([
  ["without fail_on_error", "lenient"],
  ["with fail_on_error", "strict"],
])("what goes wrong in an evaluator, %s", (_, runId) => {
  it.each(FAILURES)("is recorded: %s", (how, status, code, cause) => {
    expect(columnOf(csv(runId), `evaluation_${how}_status`)).toEqual(["", status]);
    expect(columnOf(csv(runId), `evaluation_${how}_primary_value`)).toEqual(["", ""]);
    expect(columnsOf(csv(runId))).not.toContain(`evaluation_${how}_score`);
    const document = evaluation(runId, `2-${how}.json`);
    expect(document).toMatchObject({ schema: 1, round: 2, name: how, type: "failing", status, result: null });
    expect(document.error.code).toBe(code);
    expect(document.error.message).toMatch(cause);
    expect(document.duration_seconds).toBeGreaterThanOrEqual(0);
  });

  it.each(NOT_FAILURES)("unless it is none: %s", (how, status) => {
    expect(columnOf(csv(runId), `evaluation_${how}_status`)).toEqual(["", status]);
    expect(evaluation(runId, `2-${how}.json`)).toMatchObject({ status, error: null });
  });

  it("takes nothing from the others, from the scalar, or from rounds before", () => {
    for (const row of rowsOf(csv(runId))) {
      expect(Number(row.accuracy)).toBeGreaterThan(0);
      expect(row.evaluation_accuracy).toBe(row.accuracy);
      expect(row.evaluation_classification_status).toBe("ok");
      expect(row.evaluation_observer_status).toBe("ok");
    }
    expect(columnOf(csv(runId), "evaluation_second_round_score")).toEqual(["1", ""]);
    expect(columnOf(csv(runId), "evaluation_second_round_status")).toEqual(["ok", "failed"]);
  });

  it("leaves no result of an earlier round in the state", () => {
    expect(columnOf(csv(runId), "evaluation_observer_sees_second_round")).toEqual(["1", ""]);
    expect(columnOf(csv(runId), "evaluation_observer_sees_part")).toEqual(["", "1"]);
    expect(columnOf(csv(runId), "evaluation_observer_count")).toEqual(["2", "2"]);
  });
});

describe("the run", () => {
  it("goes on without fail_on_error, and says once what failed and why", () => {
    expect(lenient.status, lenient.stderr).toBe(0);
    expect(JSON.parse(lenient.stdout)).toMatchObject({ status: "completed", rounds: 2 });
    for (const [how, , , cause] of FAILURES) {
      const said = lenient.stderr.split(`The evaluator "${how}" failed:`).slice(1);
      expect(said, how).toHaveLength(1);
      expect(said[0]).toMatch(cause);
    }
  });

  it("ends with fail_on_error, once the row is written, with every cause in its message", () => {
    expect(strict.status).toBe(1);
    expect(JSON.parse(strict.stdout)).toMatchObject({ status: "failed", rounds: 2, last_row: { round: 2 } });
    const message = /^error \[EVALUATION_FAILED\]: .*$/ms.exec(strict.stderr)?.[0] ?? "";
    for (const [how, status, , cause] of FAILURES) {
      expect(message).toContain(`"${how}" ${status === "timeout" ? "ran out of time" : "failed"}: `);
      expect(message).toMatch(cause);
    }
    expect(message).toContain("the second time is too much");
    expect(existsSync(join(folder, "runtime", "checkpoints", "strict", "checkpoint_2.safetensors"))).toBe(
      true,
    );
    const manifest = JSON.parse(readFileSync(join(results, "strict", "run.json"), "utf8"));
    expect(manifest).toMatchObject({ status: "failed", error: { code: "EVALUATION_FAILED" } });
  });

  it("that ended so goes on behind its row with --resume", async () => {
    const words = ["--resume", "--set", "trainer.rounds=3", "--set", "evaluation={type='classification'}"];
    const { status, stderr, stdout } = await run("strict.toml", "strict", ...words);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", rounds: 3 });
    expect(columnOf(csv("strict"), "round")).toEqual(["1", "2", "3"]);
    expect(columnOf(csv("strict"), "evaluation_status")).toEqual(["", "", "ok"]);
  }, 60_000);
});

it("ten thousand metrics, and names that would break out, are recorded like any others", async () => {
  const { status, stderr } = await run("names.toml", "names");
  expect(status, stderr).toBe(0);
  const [row] = rowsOf(csv("names"));
  expect(row).toMatchObject({
    evaluation_proto: "1",
    evaluation_constructor: "2",
    evaluation_hasownproperty: "3",
    evaluation_quo_ted_and_broken: "4",
    evaluation_1_1: "5",
    evaluation_right_to_left: "6",
    evaluation_we_ird_name_status: "ok",
    evaluation_we_ird_name_primary_value: "1",
    evaluation_many_status: "ok",
  });
  for (let index = 0; index < 10_000; index++) {
    if (Number(row![`evaluation_many_m${index}`]) !== index / 7) expect.fail(`m${index} is not ${index / 7}`);
  }
  // Names of files hold nothing that leads elsewhere or that a file system would refuse.
  const files = readdirSync(join(results, "names", "evaluations"));
  const artifacts = readdirSync(join(results, "names", "artifacts"));
  for (const name of [...files, ...artifacts]) expect(name).toMatch(/^1-[^/\\:*?"<>|\p{Cc}]+$/u);
  expect([files.length, artifacts.length]).toEqual([2, 2]);
  expect(existsSync(join(results, "outside"))).toBe(false);
  const hostile = files.find((name) => name !== "1-many.json");
  expect(evaluation("names", hostile!)).toMatchObject({
    name: 'we,"ird\n 😀 name',
    result: { evaluator: "../../etc/passwd", primary_metric: "__proto__" },
  });
}, 60_000);
