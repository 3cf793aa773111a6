// Peak memory of the server for a model of 25 million parameters when 10 and when 200 logical clients send updates of it
// in a round, over two client processes. Server and clients are the product's own, with nothing to train.
// Run: node --import tsx bench/serverMemory.ts [FEW MANY]
import { benchProcess, round } from "./benchProcess.js";
import type { ServerMemoryRun } from "./serverMemoryRun.js";

/** Largest ratio of the two peaks. */
const TARGET = 1.1;

const [few = "10", many = "200"] = process.argv.slice(2);
const runs = [few, many].map((members) =>
  benchProcess<ServerMemoryRun>(process.execPath, ["--import", "tsx"], "./serverMemoryRun.ts", [members]),
);
for (const run of runs) console.log(JSON.stringify(run));
const times = round(runs[1]!.peak_mb / runs[0]!.peak_mb);
console.log(JSON.stringify({ times_memory: times, target: TARGET }));
process.exitCode = times > TARGET ? 1 : 0;
