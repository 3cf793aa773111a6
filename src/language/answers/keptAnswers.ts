import { z } from "zod";
import { type Clock, systemClock } from "../../base/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import type { Generation, GenerationOptions, GenerationRequest } from "../generation.js";
import type { ForwardRequestOptions, LanguageModel, TokenLogits } from "../languageModel.js";
import type {
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
  RollingOptions,
  TextOptions,
} from "../scoring.js";
import type { AnswerFile } from "./answerFile.js";
import { PieceSize } from "./pieceSize.js";
import { TimedAnswers } from "./timedAnswers.js";

/** The most requests that are computed between two writes. */
const PIECE = { scores: 4096, texts: 64, generations: 512 };

/** Seconds of work that a process which is killed loses, about. */
const KEPT_EVERY = 5;

/** What tests set. */
export interface KeptAnswersOptions {
  readonly clock?: Clock;
  /** Default 5. */
  readonly keptEvery?: number;
}

/**
 * A language model that keeps its answers: what was answered before, with the same options, is not computed again.
 * A request is its own key, so a task of another version asks anew exactly where its requests differ.
 */
export class KeptAnswers implements LanguageModel {
  readonly name: string;
  readonly tokenizer: Tokenizer | undefined;
  readonly contextLength: number | undefined;
  readonly #clock: Clock;
  readonly #keptEvery: number;
  readonly #pieces: { readonly scores: PieceSize; readonly texts: PieceSize };

  /** @param file of the very weights that `model` has now */
  constructor(
    private readonly model: LanguageModel,
    private readonly file: AnswerFile,
    { clock = systemClock, keptEvery = KEPT_EVERY }: KeptAnswersOptions = {},
  ) {
    this.name = model.name;
    this.tokenizer = model.tokenizer;
    this.contextLength = model.contextLength;
    this.#clock = clock;
    this.#keptEvery = keptEvery;
    const piece = (most: number) => new PieceSize(most, keptEvery);
    this.#pieces = { scores: piece(PIECE.scores), texts: piece(PIECE.texts) };
  }

  logLikelihood(
    requests: readonly LogLikelihoodRequest[],
    options: LogLikelihoodOptions = {},
  ): Promise<LogLikelihood[]> {
    const { signal: _, onAnswered, ...own } = options;
    return this.#kept(requests, this.#pieces.scores, ["score", own], scoreSchema, onAnswered, (some) =>
      this.model.logLikelihood(some, options),
    );
  }

  rollingLogLikelihood(
    texts: readonly string[],
    options: RollingOptions = {},
  ): Promise<RollingLogLikelihood[]> {
    const { signal: _, onAnswered, ...own } = options;
    return this.#kept(texts, this.#pieces.texts, ["roll", own], rollSchema, onAnswered, (some) =>
      this.model.rollingLogLikelihood(some, options),
    );
  }

  async generate(
    requests: readonly GenerationRequest[],
    options: GenerationOptions = {},
  ): Promise<Generation[]> {
    const { signal: _, onText, onAnswered, onGeneration, ...own } = options;
    // Whoever listens wants to hear the text as it comes.
    if (onText !== undefined) return this.model.generate(requests, options);
    const kind = ["generate", own];
    const { answers, open } = this.#known(requests, kind, generationSchema, onAnswered);
    answers.forEach((generation, index) => {
      if (generation !== undefined) onGeneration?.({ index, generation });
    });
    for (let start = 0; start < open.length; start += PIECE.generations) {
      const places = open.slice(start, start + PIECE.generations);
      // All at once, since they make room for each other; each is written when it is there.
      const heard = new TimedAnswers(this.file, this.#keptEvery);
      const left = new Set(places);
      try {
        const found = await this.model.generate(
          places.map((place) => requests[place]!),
          {
            ...options,
            onGeneration({ index, generation }) {
              const place = places[index]!;
              left.delete(place);
              heard.add([[...kind, requests[place]], generation]);
              onGeneration?.({ index: place, generation });
            },
          },
        );
        for (const [index, place] of places.entries()) answers[place] = found[index]!;
        for (const place of left) heard.add([[...kind, requests[place]], answers[place]]);
      } finally {
        await heard.close();
      }
    }
    return answers as Generation[];
  }

  /** Logits are too large to keep. */
  forward(rows: readonly (readonly number[])[], options?: ForwardRequestOptions): Promise<TokenLogits[]> {
    return this.model.forward(rows, options);
  }

  async #kept<Request, Answer>(
    requests: readonly Request[],
    piece: PieceSize,
    kind: readonly unknown[],
    schema: z.ZodType<Answer>,
    onAnswered: TextOptions["onAnswered"],
    ask: (requests: readonly Request[]) => Promise<Answer[]>,
  ): Promise<Answer[]> {
    const { answers, open } = this.#known(requests, kind, schema, onAnswered);
    for (let start = 0; start < open.length; ) {
      const places = open.slice(start, start + piece.size);
      const began = this.#clock.monotonic();
      const found = await ask(places.map((place) => requests[place]!));
      piece.took(places.length, (this.#clock.monotonic() - began) / 1000);
      for (const [index, place] of places.entries()) answers[place] = found[index]!;
      await this.file.add(places.map((place) => [[...kind, requests[place]], answers[place]]));
      start += places.length;
    }
    return answers as Answer[];
  }

  /** What is there already, by the places of the requests, and the places of the others. */
  #known<Request, Answer>(
    requests: readonly Request[],
    kind: readonly unknown[],
    schema: z.ZodType<Answer>,
    onAnswered: TextOptions["onAnswered"],
  ): { answers: (Answer | undefined)[]; open: number[] } {
    const answers = requests.map((request) => schema.safeParse(this.file.get([...kind, request])).data);
    const open = answers.flatMap((answer, place) => (answer === undefined ? [place] : []));
    if (open.length < requests.length) onAnswered?.(requests.length - open.length, true);
    return { answers, open };
  }
}

const numbers = z.array(z.number());
const whole = z.int().nonnegative();

const scoreSchema: z.ZodType<LogLikelihood> = z.object({
  logLikelihood: z.number(),
  tokenLogLikelihoods: numbers,
  greedy: z.boolean(),
  tokenCount: whole,
  truncated: whole,
});

const rollSchema: z.ZodType<RollingLogLikelihood> = z.object({
  logLikelihood: z.number(),
  tokenLogLikelihoods: numbers,
  tokenCount: whole,
  windows: whole,
});

const generationSchema: z.ZodType<Generation> = z
  .object({
    text: z.string(),
    tokens: z.array(whole).optional(),
    finish: z.enum(["stop", "length"]),
    truncated: whole,
    usage: z.object({ input: whole, output: whole }).optional(),
  })
  .transform(({ tokens, usage, ...rest }) => ({ ...rest, tokens, ...(usage && { usage }) }));
