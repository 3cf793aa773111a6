// Compares algorithms on clients that are unlike: each in its own TOML file, each with several seeds. Ends in a table
// with mean and deviation over the seeds, a picture, and the numbers as JSON:
//
//   npx tsx examples/compare-algorithms/compare.ts             a quarter of an hour on two cores
//   npx tsx examples/compare-algorithms/compare.ts --quick     a minute, on digits
//   npx tsx examples/compare-algorithms/compare.ts --tune      each algorithm's own rate, three candidates for each
//
// A comparison that was stopped goes on where it stopped when it is started again.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { run } from "elenchus";
import { findRun, lineChart, runDocument, runIds, writeChart } from "elenchus/results";
import { deviationOf, meanOf, table } from "./statistics.js";

/** Each with the one rate that is its own, and what --tune tries for it: as many candidates for every one. */
const ALGORITHMS = {
  fedavg: { label: "FedAvg", key: "parameters.optimizer.lr", candidates: [0.02, 0.05, 0.1] },
  fedprox: { label: "FedProx", key: "algorithm.fedprox_mu", candidates: [0.001, 0.01, 0.1] },
  scaffold: { label: "SCAFFOLD", key: "algorithm.server_learning_rate", candidates: [0.5, 0.75, 1] },
  fedadam: { label: "FedAdam", key: "algorithm.server_learning_rate", candidates: [0.003, 0.01, 0.03] },
  cautious: { label: "cautious (own)", key: "algorithm.momentum", candidates: [0.5, 0.7, 0.9] },
};
type Name = keyof typeof ALGORITHMS;

/** Digits over ten clients, a small model, few rounds. */
const QUICK = [
  ...["clients.total_clients=10", "clients.per_round=2", "data.datasource=digits", "data.partition_size=100"],
  ...["data.concentration=0.3", "data.testset_size=360", "trainer.model_name=multilayer", "trainer.rounds=4"],
  ...["trainer.max_concurrency=1", "trainer.epochs=1", "trainer.batch_size=20"],
];
/** Rounds whose mean tells more than the last one's accident. */
const SETTLED = 5;
/** None of those that are compared, so that nothing is tuned to them. */
const TUNING_SEED = 1000;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    tune: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    seeds: { type: "string", default: "1,2,3" },
    only: { type: "string", default: Object.keys(ALGORITHMS).join(",") },
    base: { type: "string", default: "./runtime/compare-algorithms" },
  },
});
const names = values.only.split(",").filter((name): name is Name => Object.hasOwn(ALGORITHMS, name));
const seeds = values.seeds.split(",").map(Number);
const base = resolve(values.base, values.quick ? "quick" : "full");
mkdirSync(base, { recursive: true });

/** Accuracies of a run, round by round; one that is there already is read. */
async function accuracies(
  name: Name,
  seed: number,
  set: readonly string[] = [],
  mark = "",
): Promise<number[]> {
  const runId = `${name}${mark}-seed${seed}`;
  const results = join(base, "results");
  await run(join(import.meta.dirname, `${name}.toml`), {
    imports: [join(import.meta.dirname, "cautious.ts")],
    ...{ base, seed, runId, log: "warn", resume: (await runIds(results)).includes(runId) },
    set: [...(values.quick ? QUICK : []), ...set],
  });
  const { rows } = await runDocument(await findRun(runId, results));
  const found = rows.map(({ accuracy }) => Number(accuracy));
  process.stderr.write(`${runId}: ${found.at(-1)!.toFixed(4)} after ${found.length} rounds\n`);
  return found;
}

const settled = (rounds: readonly number[]) => meanOf(rounds.slice(-SETTLED));

async function tune() {
  const rows: { name: Name; key: string; value: number; accuracy: number; best: boolean }[] = [];
  for (const name of names) {
    const { key, candidates } = ALGORITHMS[name];
    const tried: { value: number; accuracy: number }[] = [];
    for (const value of candidates) {
      const rounds = await accuracies(name, TUNING_SEED, [`${key}=${value}`], `-${value}`);
      tried.push({ value, accuracy: settled(rounds) });
    }
    const most = Math.max(...tried.map(({ accuracy }) => accuracy));
    rows.push(...tried.map((one) => ({ name, key, ...one, best: one.accuracy === most })));
  }
  writeFileSync(join(base, "tuning.json"), `${JSON.stringify(rows, null, 2)}\n`);
  if (values.json) console.log(JSON.stringify(rows));
  else {
    const shown = rows.map(({ name, key, value, accuracy, best }) => [
      ...[ALGORITHMS[name].label, key, String(value), accuracy.toFixed(4), best ? "best" : ""],
    ]);
    console.log(table(["algorithm", "key", "value", "accuracy", ""], shown));
  }
}

async function compare() {
  const runs = new Map<Name, number[][]>();
  // Seed by seed, so that a comparison that is stopped early has all algorithms.
  for (const seed of seeds) {
    for (const name of names) runs.set(name, [...(runs.get(name) ?? []), await accuracies(name, seed)]);
  }
  const algorithms = names.map((name) => {
    const curves = runs.get(name)!;
    const last = curves.map((rounds) => rounds.at(-1)!);
    const ends = curves.map(settled);
    return {
      ...{ name, label: ALGORITHMS[name].label, seeds },
      last: { mean: meanOf(last), deviation: deviationOf(last), values: last },
      settled: { mean: meanOf(ends), deviation: deviationOf(ends), values: ends },
      rounds: curves[0]!.map((_, place) => {
        const found = curves.map((rounds) => rounds[place]!);
        return { round: place + 1, mean: meanOf(found), deviation: deviationOf(found) };
      }),
    };
  });
  const document = { data: values.quick ? "digits" : "FashionMNIST", settled_rounds: SETTLED, algorithms };
  writeFileSync(join(base, "comparison.json"), `${JSON.stringify(document, null, 2)}\n`);
  const chart = lineChart({
    title: `${document.data}: ${seeds.length} seeds`,
    note: "mean over the seeds; shaded: one standard deviation on either side",
    panels: [
      {
        x: { name: "round" },
        y: { name: "accuracy", unit: "fraction", higherIsBetter: true },
        lines: algorithms.map(({ label, rounds }) => ({
          name: label,
          points: rounds.map(({ round, mean, deviation }) => ({
            ...{ x: round, y: mean },
            ...(deviation !== null && { low: mean - deviation, high: mean + deviation }),
          })),
        })),
      },
    ],
  });
  for (const ending of ["svg", "png"]) await writeChart(join(base, `comparison.${ending}`), chart);
  if (values.json) console.log(JSON.stringify(document));
  else {
    const shown = algorithms.map(({ label, last, settled: end }) => [label, spread(last), spread(end)]);
    console.log(table(["algorithm", "last round", `last ${SETTLED} rounds`], shown));
    console.log(`\n${join(base, "comparison.json")} has the numbers, comparison.svg and .png the picture.`);
  }
}

function spread({ mean, deviation }: { mean: number; deviation: number | null }): string {
  return deviation === null ? mean.toFixed(4) : `${mean.toFixed(4)} ± ${deviation.toFixed(4)}`;
}

await (values.tune ? tune() : compare());
