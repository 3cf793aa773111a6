import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Every benchmark, one after the other, so that none disturbs another. */
const BENCHMARKS = [
  "compute",
  "languageTraining",
  "languageForward",
  "aggregation",
  "transfer",
  "rounds",
  "logicalClients",
  "serverMemory",
  "results",
  "storage",
  "tokenizers",
  "languageScoring",
  "languageGeneration",
  "languageEngine",
  "benchmarks",
  "scoring",
  "page",
];

for (const name of BENCHMARKS) {
  console.log(`\n== ${name}`);
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ["--import", "tsx", script], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
