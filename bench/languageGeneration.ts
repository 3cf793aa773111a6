// Answers per second: prompts of different lengths whose answers end at different places, all in one call, against
// one at a time with the same cache, and against one at a time without. Seconds are those of the processor, which a
// busy machine does not stretch. Run: node --import tsx bench/languageGeneration.ts
import type { GenerationRequest } from "../src/language/index.js";
import { TfLanguageModel } from "../src/language/tensorflow/index.js";
import { type BenchModel, medianSeconds, middleLlama, questions, round, smallGpt } from "./languageModels.js";

/** All at once against one at a time, both from the cache. */
const TARGET = 1.5;

const plans: { make: () => Promise<BenchModel>; count: number; repetitions: number }[] = [
  { make: smallGpt, count: 32, repetitions: 3 },
  { make: middleLlama, count: 4, repetitions: 1 },
];
for (const { make, count, repetitions } of plans) {
  const { name, model, tokenizer } = await make();
  const requests: GenerationRequest[] = questions(count).map(({ context }, index) => ({
    prompt: context.slice(index % 3 === 0 ? 40 : 0),
    maxNewTokens: 8 + ((index * 7) % 25),
    stopTokens: [],
    temperature: 1,
    seed: index,
  }));
  const cached = new TfLanguageModel(model, tokenizer);
  const anew = new TfLanguageModel(model, tokenizer, { cache: false });
  const tokens = (await cached.generate(requests)).reduce((sum, answer) => sum + answer.tokens!.length, 0);
  const one = (language: TfLanguageModel) => async () => {
    for (const request of requests) await language.generate([request]);
  };
  const times = await medianSeconds(
    { together: async () => void (await cached.generate(requests)), alone: one(cached), anew: one(anew) },
    repetitions,
  );
  const result = {
    model: name,
    answers: count,
    new_tokens: tokens,
    together_tokens_s: round(tokens / times.together),
    alone_tokens_s: round(tokens / times.alone),
    alone_without_cache_tokens_s: round(tokens / times.anew),
    ratio: round(times.alone / times.together),
    target_ratio: TARGET,
  };
  console.log(JSON.stringify(result, null, 2));
  if (result.ratio < TARGET) process.exitCode = 1;
  model.dispose();
}
