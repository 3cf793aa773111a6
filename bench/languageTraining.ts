// Training tokens per second of a small GPT (4 layers, width 128, 4 heads, context 128, batches of 8, 875,264
// weights, Adam) on one core, each row in a process of its own: the wasm back end with 256 and 2,048 tokens, the
// cpu back end, and PyTorch with one thread where PEER_PYTHON names a Python that has it. Seconds are those of the
// processor.
// Run: PEER_PYTHON=python3 node --import tsx bench/languageTraining.ts
import { benchProcess, round } from "./benchProcess.js";

interface Row {
  readonly tokens_per_second: number;
  readonly parameters: number;
  readonly resident_megabytes?: number;
  readonly arithmetic?: string;
  readonly loss?: number;
}

/** Tokens per second of an earlier measurement on two cores of an AMD EPYC (Zen 4). */
const REFERENCE = 4800;
/** Below this share of it a figure asks for an explanation. */
const WORRYING = 0.85;
const CPU_RATIO = 60;
const MEGABYTES = 350;
/** Node 20 has relaxed SIMD behind this; later versions have it and do not know the word. */
const RELAXED = "--experimental-wasm-relaxed-simd";
const needsFlag = Number(process.versions.node.split(".")[0]) < 21;

const train = (backend: string, vocabulary: number, counts: readonly number[], nodeFlags: string[] = []) =>
  benchProcess<Row>(
    process.execPath,
    [...nodeFlags, "--import", "tsx"],
    "languageTrainingRun.ts",
    [backend, vocabulary, ...counts].map(String),
  );
const WASM = [10, 5, 5];

const wasm = train("wasm", 256, WASM);
const oneStep = needsFlag ? train("wasm", 256, WASM, [RELAXED]) : undefined;
const large = train("wasm", 2048, WASM);
// One step takes some ten seconds.
const cpu = train("cpu", 256, [1, 1, 0]);
const python = process.env.PEER_PYTHON;
const peer = (vocabulary: number) =>
  python
    ? benchProcess<Row>(python, [], "peers/gpt_training.py", [vocabulary, 10, 5].map(String))
    : undefined;
const torch = peer(256);
const largeTorch = peer(2048);

const ratio = wasm.tokens_per_second / cpu.tokens_per_second;
const ofReference = wasm.tokens_per_second / REFERENCE;
const megabytes = wasm.resident_megabytes ?? Number.NaN;
const share = (own: Row, other: Row | undefined) =>
  other ? round(own.tokens_per_second / other.tokens_per_second) : "left out: PEER_PYTHON names no Python";
const rate = (row: Row | undefined) => row && Math.round(row.tokens_per_second);
console.log(
  JSON.stringify(
    {
      parameters: wasm.parameters,
      arithmetic: wasm.arithmetic,
      wasm: rate(wasm),
      wasm_one_step: rate(oneStep),
      wasm_vocabulary_2048: rate(large),
      cpu: round(cpu.tokens_per_second),
      times_cpu: round(ratio),
      target_times_cpu: CPU_RATIO,
      of_reference: round(ofReference),
      resident_megabytes: round(megabytes),
      target_megabytes: MEGABYTES,
      pytorch: rate(torch),
      of_pytorch: share(wasm, torch),
      of_pytorch_one_step: oneStep && share(oneStep, torch),
      pytorch_vocabulary_2048: rate(largeTorch),
      of_pytorch_vocabulary_2048: share(large, largeTorch),
    },
    null,
    2,
  ),
);
const missed = [
  ...(ratio < CPU_RATIO ? [`${round(ratio)} times cpu, target ${CPU_RATIO}`] : []),
  ...(megabytes > MEGABYTES ? [`${round(megabytes)} MB resident, target ${MEGABYTES}`] : []),
  ...(ofReference < WORRYING ? [`${round(ofReference)} of the reference`] : []),
];
for (const line of missed) console.error(line);
process.exitCode = missed.length > 0 ? 1 : 0;
