// Compares algorithms on clients that are unlike: each in its own TOML file, each with several seeds. Ends in a table
// with mean and deviation over the seeds, a picture, and the numbers as JSON:
//
//   npx tsx examples/compare-algorithms/compare.ts             all of them, a quarter of an hour on two cores
//   npx tsx examples/compare-algorithms/compare.ts --only fedavg,fedprox,scaffold,fedadam,cautious
//   npx tsx examples/compare-algorithms/compare.ts --quick     on digits, a minute or two
//   npx tsx examples/compare-algorithms/compare.ts --tune      each algorithm's own rate, three candidates for each
//
// A comparison that was stopped goes on where it stopped when it is started again.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { run } from "elenchus";
import { findRun, lineChart, runDocument, runIds, writeChart } from "elenchus/results";
import { deviationOf, meanOf, table } from "./statistics.js";

/** What --quick sets for all: digits over ten clients, a small model, few rounds. */
const QUICK = [
  ...["clients.total_clients=10", "clients.per_round=2", "data.datasource=digits", "data.partition_size=100"],
  ...["data.concentration=0.3", "data.testset_size=360", "trainer.rounds=4", "trainer.max_concurrency=1"],
  ...["trainer.epochs=1", "trainer.batch_size=20"],
];
const SMALL = ["trainer.model_name=multilayer"];
const SMALL_NORMALISED = [
  "trainer.model_name=general_multilayer",
  "parameters.model={ hidden_layers_dim = [64], batch_norms = [{ momentum = 0.1 }, { null = true }] }",
];

interface Compared {
  readonly label: string;
  /** The one rate that is its own, and what --tune tries for it: as many candidates for each. */
  readonly tuned?: { readonly key: string; readonly candidates: readonly [number, number, number] };
  /** Whether the server has a whole model, which its test is about. Default true. */
  readonly global?: false;
  /** Its model with --quick. */
  readonly small?: readonly string[];
}

const tuned = (key: string, ...candidates: [number, number, number]) => ({ tuned: { key, candidates } });

const ALGORITHMS = {
  fedavg: { label: "FedAvg", ...tuned("parameters.optimizer.lr", 0.02, 0.05, 0.1) },
  fedprox: { label: "FedProx", ...tuned("algorithm.fedprox_mu", 0.001, 0.01, 0.1) },
  fedavgm: { label: "FedAvgM", ...tuned("algorithm.server_momentum", 0.5, 0.7, 0.9) },
  fedadam: { label: "FedAdam", ...tuned("algorithm.server_learning_rate", 0.003, 0.01, 0.03) },
  fedyogi: { label: "FedYogi", ...tuned("algorithm.server_learning_rate", 0.003, 0.01, 0.03) },
  fedadagrad: { label: "FedAdagrad", ...tuned("algorithm.server_learning_rate", 0.01, 0.03, 0.1) },
  fednova: { label: "FedNova" },
  scaffold: { label: "SCAFFOLD", ...tuned("algorithm.server_learning_rate", 0.5, 0.75, 1) },
  feddyn: { label: "FedDyn", ...tuned("algorithm.alpha_coef", 0.03, 0.1, 0.3) },
  diloco: { label: "DiLoCo", ...tuned("server.diloco.outer_momentum", 0.5, 0.7, 0.9) },
  cautious: { label: "cautious (own)", ...tuned("algorithm.momentum", 0.5, 0.7, 0.9) },
  fedper: { label: "FedPer", global: false, small: [...SMALL, 'algorithm.local_layer_names=["fc2"]'] },
  ditto: { label: "Ditto", ...tuned("algorithm.ditto_lambda", 0.03, 0.1, 0.3) },
  "fedavg-norm": { label: "FedAvg (batch norm)", small: SMALL_NORMALISED },
  fedbn: { label: "FedBN (batch norm)", global: false, small: SMALL_NORMALISED },
} satisfies Readonly<Record<string, Compared>>;
type Name = keyof typeof ALGORITHMS;
const comparedAs = (name: Name): Compared => ALGORITHMS[name];

/** What is compared: columns of the CSV. */
const MEASURES = {
  global: { column: "accuracy", label: "global model" },
  personal: { column: "evaluation_clients_accuracy", label: "clients after training" },
} as const;
type Measure = keyof typeof MEASURES;
const MEASURED = Object.keys(MEASURES) as Measure[];

/** Rounds whose mean tells more than the last one's accident. */
const SETTLED = 5;
/** None of those that are compared, so that nothing is tuned to them. */
const TUNING_SEED = 1000;
/** More bands than these lie over one another. */
const MOST_BANDS = 5;

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
const names = values.only.split(",") as Name[];
const unknown = names.filter((name) => !Object.hasOwn(ALGORITHMS, name));
if (unknown.length > 0) {
  console.error(`--only: no ${unknown.join(", ")} here. There are ${Object.keys(ALGORITHMS).join(", ")}.`);
  process.exit(2);
}
const seeds = values.seeds.split(",").map(Number);
const base = resolve(values.base, values.quick ? "quick" : "full");
mkdirSync(base, { recursive: true });

/** Accuracies round by round, of each kind that the algorithm has. */
type Curves = Readonly<Record<Measure, readonly number[] | null>>;

/** The accuracies of a run; one that is there already is read. */
async function accuracies(name: Name, seed: number, set: readonly string[] = [], mark = ""): Promise<Curves> {
  const runId = `${name}${mark}-seed${seed}`;
  const results = join(base, "results");
  const { global: whole = true, small = SMALL } = comparedAs(name);
  await run(join(import.meta.dirname, `${name}.toml`), {
    imports: [join(import.meta.dirname, "cautious.ts")],
    ...{ base, seed, runId, log: "warn", resume: (await runIds(results)).includes(runId) },
    set: [...(values.quick ? [...QUICK, ...small] : []), ...set],
  });
  const { rows } = await runDocument(await findRun(runId, results));
  const curve = (measure: Measure) => rows.map((row) => Number(row[MEASURES[measure].column]));
  const found = { global: whole ? curve("global") : null, personal: curve("personal") };
  const ends = MEASURED.map(
    (measure) => `${MEASURES[measure].label} ${found[measure]?.at(-1)?.toFixed(4) ?? "-"}`,
  );
  process.stderr.write(`${runId}: ${ends.join(", ")} after ${rows.length} rounds\n`);
  return found;
}

const settled = (rounds: readonly number[]) => meanOf(rounds.slice(-SETTLED));

/** By the model that an algorithm is there for: the clients' own with Ditto. */
async function tune() {
  const rows: { name: Name; key: string; value: number; accuracy: number; best: boolean }[] = [];
  for (const name of names) {
    const { key, candidates } = comparedAs(name).tuned ?? { key: "", candidates: [] };
    const tried: { value: number; accuracy: number }[] = [];
    for (const value of candidates) {
      const curves = await accuracies(name, TUNING_SEED, [`${key}=${value}`], `-${value}`);
      tried.push({ value, accuracy: settled(curves[name === "ditto" ? "personal" : "global"]!) });
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

interface Spread {
  readonly mean: number;
  /** Null of a single seed. */
  readonly deviation: number | null;
  readonly values: readonly number[];
}

const spreadOf = (found: readonly number[]): Spread => ({
  ...{ mean: meanOf(found), deviation: deviationOf(found), values: found },
});

/** What the seeds together say of one kind of accuracy. */
function summed(curves: readonly (readonly number[])[]) {
  return {
    last: spreadOf(curves.map((rounds) => rounds.at(-1)!)),
    settled: spreadOf(curves.map(settled)),
    rounds: curves[0]!.map((_, place) => {
      const { mean, deviation } = spreadOf(curves.map((rounds) => rounds[place]!));
      return { round: place + 1, mean, deviation };
    }),
  };
}

async function compare() {
  const runs = new Map<Name, Curves[]>();
  // Seed by seed, so that a comparison that is stopped early has all algorithms.
  for (const seed of seeds) {
    for (const name of names) runs.set(name, [...(runs.get(name) ?? []), await accuracies(name, seed)]);
  }
  const algorithms = names.map((name) => {
    const of = (measure: Measure) => {
      const curves = runs.get(name)!.flatMap((found) => (found[measure] === null ? [] : [found[measure]]));
      return curves.length === 0 ? null : summed(curves);
    };
    return { name, label: ALGORITHMS[name].label, seeds, global: of("global"), personal: of("personal") };
  });
  const document = { data: values.quick ? "digits" : "FashionMNIST", settled_rounds: SETTLED, algorithms };
  writeFileSync(join(base, "comparison.json"), `${JSON.stringify(document, null, 2)}\n`);
  const banded = algorithms.length <= MOST_BANDS && seeds.length > 1;
  const chart = lineChart({
    title: `${document.data}: ${seeds.length} ${seeds.length === 1 ? "seed" : "seeds"}`,
    ...(seeds.length > 1 && {
      note: `mean over the seeds${banded ? "; shaded: one standard deviation on either side" : ""}`,
    }),
    panels: MEASURED.map((measure) => ({
      x: { name: "round" },
      y: { name: `accuracy, ${MEASURES[measure].label}`, unit: "fraction", higherIsBetter: true },
      lines: algorithms.flatMap(({ label, [measure]: found }) =>
        found === null ? [] : [{ name: label, points: found.rounds.map((point) => pointOf(point, banded)) }],
      ),
    })),
  });
  for (const ending of ["svg", "png"]) await writeChart(join(base, `comparison.${ending}`), chart);
  if (values.json) console.log(JSON.stringify(document));
  else {
    const shown = algorithms.map(({ label, global, personal }) => [
      ...[label, shownSpread(global?.last), shownSpread(global?.settled), shownSpread(personal?.settled)],
    ]);
    const heads = ["algorithm", "global, last round", `global, last ${SETTLED}`, `clients, last ${SETTLED}`];
    console.log(table(heads, shown));
    console.log(`\n${join(base, "comparison.json")} has the numbers, comparison.svg and .png the picture.`);
  }
}

function pointOf(
  { round, mean, deviation }: { round: number; mean: number; deviation: number | null },
  banded: boolean,
) {
  const band = banded && deviation !== null && { low: mean - deviation, high: mean + deviation };
  return { x: round, y: mean, ...band };
}

function shownSpread(spread: Spread | undefined): string {
  if (spread === undefined) return "-";
  const { mean, deviation } = spread;
  return deviation === null ? mean.toFixed(4) : `${mean.toFixed(4)} ± ${deviation.toFixed(4)}`;
}

await (values.tune ? tune() : compare());
