// Rounds of LeNet-5 with 10, 100 and 1,000 logical clients, at most 100 in a round, on as many processes as there are
// cores: how long a round takes for each of its members, how much of that is not training, and memory. Each run in
// processes of its own, with little to train, so that what surrounds training shows.
// Run: node --import tsx bench/logicalClients.ts [DATASOURCE]
import { benchProcess, round } from "./benchProcess.js";
import type { LogicalClientsRun } from "./logicalClientsRun.js";

/** Largest ratio of the time for a member, and of memory, between the most clients and the fewest. */
const TARGET = 1.5;

const [datasource = "digits"] = process.argv.slice(2);
const runs = [10, 100, 1000].map((clients) =>
  benchProcess<LogicalClientsRun>(process.execPath, ["--import", "tsx"], "./logicalClientsRun.ts", [
    String(clients),
    datasource,
  ]),
);
const [few, , many] = runs as [LogicalClientsRun, LogicalClientsRun, LogicalClientsRun];
for (const run of runs) console.log(JSON.stringify(run));
const ratios = {
  times_member: round(many.ms_per_member / few.ms_per_member),
  times_memory: round(many.last_mb / few.last_mb),
  // Within the run of most clients, from its second round to its last.
  times_over_rounds: round(many.last_mb / many.first_mb),
  target: TARGET,
};
console.log(JSON.stringify(ratios));
process.exitCode =
  Math.max(ratios.times_member, ratios.times_memory, ratios.times_over_rounds) > TARGET ? 1 : 0;
