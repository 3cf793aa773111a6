// Four-choice questions per second: all requests in one call, which reads what they share once, against the same
// public call with one request at a time and the cache off; and what that slower way reads in tokens per second,
// against `forward` of the same rows, so that the comparison is no straw man. Seconds are
// those of the processor, which a busy machine does not stretch.
// Run: node --import tsx bench/languageScoring.ts

import type { LogLikelihoodRequest } from "../src/language/index.js";
import { TfLanguageModel } from "../src/language/tensorflow/index.js";
import { type BenchModel, medianSeconds, middleLlama, questions, round, smallGpt } from "./languageModels.js";

/** All at once against one at a time. */
const TARGET = 2.5;
/** One at a time against `forward`, in tokens per second. */
const HONEST = 0.8;

const plans: { make: () => Promise<BenchModel>; count: number; repetitions: number }[] = [
  { make: smallGpt, count: 64, repetitions: 3 },
  { make: middleLlama, count: 3, repetitions: 1 },
];
let missed = false;
for (const { make, count, repetitions } of plans) {
  const { name, model, tokenizer } = await make();
  const requests: LogLikelihoodRequest[] = questions(count).flatMap(({ context, choices }) =>
    choices.map((continuation) => ({ context, continuation })),
  );
  const rows = requests.map(({ context, continuation }) =>
    tokenizer.encode(`${context}${continuation}`, { addSpecialTokens: true }).slice(0, -1),
  );
  const tokens = rows.reduce((sum, { length }) => sum + length, 0);
  const [fast, plain] = [
    new TfLanguageModel(model, tokenizer),
    new TfLanguageModel(model, tokenizer, { cache: false }),
  ];
  const times = await medianSeconds(
    {
      together: async () => void (await fast.logLikelihood(requests)),
      alone: async () => {
        for (const request of requests) await plain.logLikelihood([request]);
      },
      forwardAlone: async () => {
        for (const row of rows) await plain.forward([row]);
      },
      forward: async () => void (await plain.forward(rows)),
    },
    repetitions,
  );
  const result = {
    model: name,
    questions: count,
    tokens_per_request: round(tokens / requests.length),
    together_questions_s: round(count / times.together),
    alone_questions_s: round(count / times.alone),
    ratio: round(times.alone / times.together),
    target_ratio: TARGET,
    alone_tokens_s: Math.round(tokens / times.alone),
    forward_alone_tokens_s: Math.round(tokens / times.forwardAlone),
    forward_packed_tokens_s: Math.round(tokens / times.forward),
    alone_of_forward: round(times.forwardAlone / times.alone),
    alone_of_packed_forward: round(times.forward / times.alone),
  };
  console.log(JSON.stringify(result, null, 2));
  if (result.ratio < TARGET || result.alone_of_forward < HONEST) missed = true;
  model.dispose();
}
process.exitCode = missed ? 1 : 0;
