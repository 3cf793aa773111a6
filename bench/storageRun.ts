// One part of bench/storage.ts in a process of its own: its name, the candidate and the folder are the arguments.
import { CANDIDATES, type Candidate } from "./storageCandidates.js";

const [part, name, folder, stage = ""] = process.argv.slice(2) as [string, string, string, string?];
/** As long as the row of a scored answer. */
const ROW = JSON.stringify({ generated_answer: "x".repeat(400), score: 1 });
const [ROWS, AT_ONCE, DOCUMENTS] = [200, 32, 500];

const candidate = await CANDIDATES[name]!.open(folder);
if (part === "speed") console.log(JSON.stringify(await speed(candidate)));
if (part === "write") await write(candidate);
if (part === "count") console.log(JSON.stringify(await candidate.count(stage)));
await candidate.close();
process.exit(0);

async function speed(own: Candidate) {
  const rows = await perSecond(ROWS, (index) => own.append("one", index, ROW));
  let next = 0;
  const together = await timed(() =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < 4 * ROWS) await own.append("many", next++, ROW);
      }),
    ),
  );
  for (let index = 0; index < DOCUMENTS; index++) await own.create(`job-${index}`, ROW);
  const list = await timed(() => own.list());
  return {
    rows_per_second: Math.round(rows),
    [`rows_per_second_${AT_ONCE}_at_once`]: Math.round((4 * ROWS) / (together / 1000)),
    [`list_${DOCUMENTS}_documents_ms`]: Math.round(10 * list) / 10,
  };
}

/** Appends until it is killed, or so many; says what is stored. */
async function write(own: Candidate): Promise<void> {
  const most = Number(process.argv[6]);
  for (let index = 0; index < most; index++) {
    await own.append(stage, index, ROW);
    process.stdout.write(`${index}\n`);
  }
}

async function perSecond(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  const milliseconds = await timed(async () => {
    for (let index = 0; index < count; index++) await work(index);
  });
  return count / (milliseconds / 1000);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
