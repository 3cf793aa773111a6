// Tokens per second that a small GPT (4 layers, width 128, 4 heads, context 128, batches of 8) reads on one core: the
// wasm back end as Elenchus loads it beside the package as it is, each in a process of its own, the same model.
// Seconds are those of the processor.
// Run: node --import tsx bench/languageForward.ts
import { benchProcess, round } from "./benchProcess.js";

interface Row {
  readonly tokens_per_second: number;
  readonly sum: number;
}

const RATIO = 2.5;
const read = (kind: string) =>
  benchProcess<Row>(process.execPath, ["--import", "tsx"], "languageForwardRun.ts", [kind, "10", "7"]);

const own = read("wasm");
const stock = read("stock");
const ratio = own.tokens_per_second / stock.tokens_per_second;
if (Math.abs(own.sum - stock.sum) > 1e-3 * Math.max(1, Math.abs(stock.sum))) {
  throw new Error(`the two compute different logits: they sum up to ${own.sum} and ${stock.sum}`);
}
console.log(
  JSON.stringify(
    {
      wasm: Math.round(own.tokens_per_second),
      stock: Math.round(stock.tokens_per_second),
      times_stock: round(ratio),
      target_times_stock: RATIO,
    },
    null,
    2,
  ),
);
if (ratio < RATIO) {
  console.error(`${round(ratio)} times the package as it is, target ${RATIO}`);
  process.exitCode = 1;
}
