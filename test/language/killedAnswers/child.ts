// Answers slowly and says how far it is, until it is killed.
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { silentLogger } from "../../../src/base/index.js";
import {
  AnswerFile,
  type GenerationOptions,
  KeptAnswers,
  type LanguageModel,
} from "../../../src/language/index.js";
import { KEPT_EVERY, MILLISECONDS, REQUESTS } from "./speed.js";

const [folder, kind] = [process.argv[2]!, process.argv[3]!];
let answered = 0;
const say = () => writeSync(1, `${++answered}\n`);

async function each<Request, Answer>(requests: readonly Request[], answer: (place: number) => Answer) {
  const answers: Answer[] = [];
  for (const place of requests.keys()) {
    await pause(MILLISECONDS);
    answers.push(answer(place));
    say();
  }
  return answers;
}

const model: LanguageModel = {
  name: "slow",
  logLikelihood: (requests) =>
    each(requests, () => ({
      logLikelihood: -1,
      tokenLogLikelihoods: [-1],
      greedy: true,
      tokenCount: 1,
      truncated: 0,
    })),
  rollingLogLikelihood: (texts) =>
    each(texts, () => ({ logLikelihood: -1, tokenLogLikelihoods: [-1], tokenCount: 1, windows: 1 })),
  generate: (requests, { onGeneration }: GenerationOptions = {}) =>
    each(requests, (index) => {
      const generation = { text: "yes", tokens: undefined, finish: "stop" as const, truncated: 0 };
      onGeneration?.({ index, generation });
      return generation;
    }),
  forward: () => Promise.reject(new Error("not asked here")),
};

const file = await AnswerFile.open({ folder, scope: "weights", logger: silentLogger });
const kept = new KeptAnswers(model, file!, { keptEvery: KEPT_EVERY });
const onAnswered = (count: number) => writeSync(1, `known ${count}\n`);
const prompts = Array.from({ length: REQUESTS }, (_, place) => `${place}?`);
if (kind === "generate") {
  await kept.generate(
    prompts.map((prompt) => ({ prompt })),
    { onAnswered },
  );
} else {
  await kept.logLikelihood(
    prompts.map((context) => ({ context, continuation: " yes" })),
    { onAnswered },
  );
}
