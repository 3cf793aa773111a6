// Models and texts that the benchmarks of inference share.
import { createRandom, stderrLogger } from "../src/base/index.js";
import { loadBackend } from "../src/compute/index.js";
import { type CausalModel, createModel } from "../src/models/index.js";
import {
  createByteTokenizer,
  createTrainedTokenizer,
  type Tokenizer,
  trainBytePairs,
} from "../src/tokenizers/index.js";

/** A model with its tokenizer. Its weights are drawn: speed does not depend on what they say. */
export interface BenchModel {
  readonly name: string;
  readonly model: CausalModel;
  readonly tokenizer: Tokenizer;
}

/** The reference's small GPT: 4 layers, width 128, 4 heads, context 128, bytes. */
export async function smallGpt(): Promise<BenchModel> {
  const tokenizer = createByteTokenizer();
  const parameters = { n_layer: 4, n_head: 4, n_embd: 128, block_size: 128 };
  return { name: "gpt, 0.9 M", tokenizer, model: await built("gpt", parameters, tokenizer.vocabularySize) };
}

/** A model of the Llama family with 40 million weights and 8,192 tokens. */
export async function middleLlama(): Promise<BenchModel> {
  const tokenizer = createTrainedTokenizer(
    trainBytePairs(
      questions(400).map(({ context, choices }) => context + choices.join("")),
      { vocabularySize: 1024 },
    ),
  );
  return { name: "llama, 40 M", tokenizer, model: await fortyMillionLlama(512) };
}

/** Its network alone. */
export function fortyMillionLlama(contextLength: number): Promise<CausalModel> {
  const parameters = {
    vocab_size: 8192,
    hidden_size: 576,
    intermediate_size: 1536,
    num_hidden_layers: 10,
    num_attention_heads: 9,
    num_key_value_heads: 3,
    max_position_embeddings: contextLength,
    tie_word_embeddings: true,
  };
  return built("llama", parameters, 8192);
}

async function built(
  name: string,
  parameters: Record<string, unknown>,
  classes: number,
): Promise<CausalModel> {
  await loadBackend("wasm", { logger: stderrLogger("warn") });
  const request = {
    inputShape: [4],
    classes,
    parameters,
    random: createRandom(1, "bench", name),
  };
  return (await createModel({ model_name: name }, request)) as CausalModel;
}

export interface Question {
  readonly context: string;
  readonly choices: readonly string[];
}

/** Questions about as long as those of ARC-Easy's shorter half, four choices of one to three words each. */
export function questions(count: number): Question[] {
  const random = createRandom(1, "bench", "questions");
  const one = (words: readonly string[]) => words[random.int(words.length)]!;
  return Array.from({ length: count }, () => ({
    context: `Question: ${one(OPENINGS)} ${one(SUBJECTS)} ${one(VERBS)} ${one(OBJECTS)} ${one(ENDS)}?\nAnswer:`,
    choices: Array.from({ length: 4 }, () => {
      const words = [one(ADJECTIVES), one(NOUNS), one(ENDS)].slice(0, 1 + random.int(3));
      return ` ${words.join(" ")}`;
    }),
  }));
}

const OPENINGS = ["Which shows that", "What happens when", "Why is it that", "How is it seen if"];
const SUBJECTS = ["a green plant", "a small planet", "a current", "a population", "warm water", "a model"];
const VERBS = ["absorbs", "moves from", "depends on", "changes with", "gives way to", "is made with"];
const OBJECTS = ["sunlight", "gravity", "a metal wire", "other animals", "a glacier", "dissolved salt"];
const ENDS = ["in winter", "over time", "at night", "in a forest", "in the sea", "under pressure"];
const ADJECTIVES = ["large", "cold", "chemical", "slow", "reflected", "sedimentary"];
const NOUNS = ["rocks", "energy", "cells", "waves", "heat", "species"];

/** Median seconds of the processor that each takes, in turns, after one round to warm up. */
export async function medianSeconds<Name extends string>(
  works: Readonly<Record<Name, () => Promise<void>>>,
  repetitions: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const name of names) {
      const start = process.cpuUsage();
      await works[name]();
      const { user, system } = process.cpuUsage(start);
      if (repetition > 0) times.get(name)!.push((user + system) / 1e6);
    }
  }
  const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1]!;
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<Name, number>;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
