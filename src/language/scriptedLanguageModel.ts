import { ElenchusError } from "../base/index.js";
import { createByteTokenizer, type Tokenizer } from "../tokenizers/index.js";
import type { Generation, GenerationOptions, GenerationRequest } from "./generation.js";
import { type Logits, readLogits } from "./nextToken.js";
import type { LogLikelihood, LogLikelihoodOptions, LogLikelihoodRequest, TextOptions } from "./scoring.js";
import { logLikelihoodOf, type TokenEngine, TokenLanguageModel } from "./tokenLanguageModel.js";
import type { TokenRow } from "./tokenRows.js";

/** What a scripted model says. */
export interface Script {
  readonly name?: string;
  /** Default: bytes. */
  readonly tokenizer?: Tokenizer;
  /** The most tokens it reads at once. Default 1,024. */
  readonly contextLength?: number;
  /** Logits after tokens; they need not be normalised. Answers every kind of request that has no script of its own. */
  readonly next?: (tokens: readonly number[]) => Logits;
  /** The answer to a prompt, before `next`. Undefined: `next` answers. */
  readonly answer?: (request: GenerationRequest, index: number) => string | undefined;
  /** Log probability of a continuation as one token, before `next`. Undefined: `next` answers. */
  readonly score?: (request: LogLikelihoodRequest, index: number) => number | undefined;
}

/** A double of a language model: it says what its script says, and remembers what it was asked. */
export class ScriptedLanguageModel extends TokenLanguageModel {
  /** Every request so far, in order. */
  readonly asked: (
    | ({ readonly kind: "logLikelihood" } & LogLikelihoodRequest)
    | { readonly kind: "rolling"; readonly text: string }
    | ({ readonly kind: "generate" } & GenerationRequest)
  )[] = [];
  readonly #script: Script;

  constructor(script: Script) {
    super(script.name ?? "scripted", script.tokenizer ?? createByteTokenizer(), scriptedEngine(script));
    this.#script = script;
  }

  override async logLikelihood(
    requests: readonly LogLikelihoodRequest[],
    options: LogLikelihoodOptions = {},
  ): Promise<LogLikelihood[]> {
    this.asked.push(...requests.map((request) => ({ kind: "logLikelihood" as const, ...request })));
    return await answered(
      requests,
      (request, index) => {
        const score = this.#script.score?.(request, index);
        return score === undefined
          ? undefined
          : logLikelihoodOf({ logLikelihoods: [score], greedy: false }, 0);
      },
      (rest) => super.logLikelihood(rest, options),
      options,
    );
  }

  override async rollingLogLikelihood(
    ...[texts, options]: Parameters<TokenLanguageModel["rollingLogLikelihood"]>
  ) {
    this.asked.push(...texts.map((text) => ({ kind: "rolling" as const, text })));
    return await super.rollingLogLikelihood(texts, options);
  }

  override async generate(
    requests: readonly GenerationRequest[],
    options: GenerationOptions = {},
  ): Promise<Generation[]> {
    this.asked.push(...requests.map((request) => ({ kind: "generate" as const, ...request })));
    return await answered(
      requests,
      (request, index) => {
        const text = this.#script.answer?.(request, index);
        if (text === undefined) return undefined;
        options.onText?.({ index, text });
        return { text, tokens: this.tokenizer.encode(text), finish: "stop" as const, truncated: 0 };
      },
      (rest, places) =>
        super.generate(rest, {
          ...options,
          onText: ({ index, text }) => options.onText?.({ index: places[index]!, text }),
          onGeneration: ({ index, generation }) =>
            options.onGeneration?.({ index: places[index]!, generation }),
        }),
      options,
    );
  }
}

/** Results by the script where it has one, all others in one batch. */
async function answered<Request, Result>(
  requests: readonly Request[],
  scripted: (request: Request, index: number) => Result | undefined,
  compute: (rest: readonly Request[], places: readonly number[]) => Promise<Result[]>,
  { onAnswered }: TextOptions,
): Promise<Result[]> {
  const results = requests.map(scripted);
  const places = [...results.keys()].filter((index) => results[index] === undefined);
  if (places.length < results.length) onAnswered?.(results.length - places.length);
  const computed =
    places.length === 0
      ? []
      : await compute(
          places.map((index) => requests[index]!),
          places,
        );
  let next = 0;
  return results.map((result) => result ?? computed[next++]!);
}

function scriptedEngine({ next: given, contextLength = 1024 }: Script): TokenEngine {
  const next = (tokens: readonly number[]): Logits => {
    if (given !== undefined) return given(tokens);
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      "The script has no answer to this request, and no `next` to compute one from. Add either.",
    );
  };
  return {
    contextLength,
    async score(rows, signal, onRow) {
      signal?.throwIfAborted();
      return rows.map((row, index) => {
        const scores = scoreRow(row, next);
        onRow?.(index);
        return scores;
      });
    },
    async generate(rows, signal) {
      for (const row of rows) {
        while (!row.finished) {
          signal?.throwIfAborted();
          row.accept(next(row.tokens));
        }
      }
    },
    async forward(rows, signal) {
      signal?.throwIfAborted();
      return rows.map((row) => {
        const logits = row.map((_, place) => Float32Array.from(next(row.slice(0, place + 1))));
        const vocabularySize = logits[0]?.length ?? 0;
        const data = new Float32Array(row.length * vocabularySize);
        logits.forEach((values, place) => void data.set(values, place * vocabularySize));
        return { data, length: row.length, vocabularySize };
      });
    },
  };
}

function scoreRow({ context, continuation }: TokenRow, next: (tokens: readonly number[]) => Logits) {
  const places = continuation.map((token, place) => {
    const read = readLogits(next([...context, ...continuation.slice(0, place)]));
    return { logLikelihood: read.logProbability(token), greedy: read.best === token };
  });
  return {
    logLikelihoods: places.map(({ logLikelihood }) => logLikelihood),
    greedy: places.every(({ greedy }) => greedy),
  };
}
