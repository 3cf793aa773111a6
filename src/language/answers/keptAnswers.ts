import { z } from "zod";
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

/** Requests that are computed between two writes: many, so that sorting and shared prefixes keep their worth. */
const PIECE = { scores: 4096, texts: 64, generations: 512 };

/**
 * A language model that keeps its answers: what was answered before, with the same options, is not computed again.
 * A request is its own key, so a task of another version asks anew exactly where its requests differ.
 */
export class KeptAnswers implements LanguageModel {
  readonly name: string;
  readonly tokenizer: Tokenizer | undefined;
  readonly contextLength: number | undefined;

  /** @param file of the very weights that `model` has now */
  constructor(
    private readonly model: LanguageModel,
    private readonly file: AnswerFile,
  ) {
    this.name = model.name;
    this.tokenizer = model.tokenizer;
    this.contextLength = model.contextLength;
  }

  logLikelihood(
    requests: readonly LogLikelihoodRequest[],
    options: LogLikelihoodOptions = {},
  ): Promise<LogLikelihood[]> {
    const { signal: _, onAnswered, ...own } = options;
    return this.#kept(requests, PIECE.scores, ["score", own], scoreSchema, onAnswered, (some) =>
      this.model.logLikelihood(some, options),
    );
  }

  rollingLogLikelihood(
    texts: readonly string[],
    options: RollingOptions = {},
  ): Promise<RollingLogLikelihood[]> {
    const { signal: _, onAnswered, ...own } = options;
    return this.#kept(texts, PIECE.texts, ["roll", own], rollSchema, onAnswered, (some) =>
      this.model.rollingLogLikelihood(some, options),
    );
  }

  generate(requests: readonly GenerationRequest[], options: GenerationOptions = {}): Promise<Generation[]> {
    const { signal: _, onText, onAnswered, ...own } = options;
    // Whoever listens wants to hear the text as it comes.
    if (onText !== undefined) return this.model.generate(requests, options);
    return this.#kept(requests, PIECE.generations, ["generate", own], generationSchema, onAnswered, (some) =>
      this.model.generate(some, options),
    );
  }

  /** Logits are too large to keep. */
  forward(rows: readonly (readonly number[])[], options?: ForwardRequestOptions): Promise<TokenLogits[]> {
    return this.model.forward(rows, options);
  }

  async #kept<Request, Answer>(
    requests: readonly Request[],
    piece: number,
    kind: readonly unknown[],
    schema: z.ZodType<Answer>,
    onAnswered: TextOptions["onAnswered"],
    ask: (requests: readonly Request[]) => Promise<Answer[]>,
  ): Promise<Answer[]> {
    const answers = requests.map((request) => schema.safeParse(this.file.get([...kind, request])).data);
    const open = answers.flatMap((answer, place) => (answer === undefined ? [place] : []));
    if (open.length < requests.length) onAnswered?.(requests.length - open.length, true);
    for (let start = 0; start < open.length; start += piece) {
      const places = open.slice(start, start + piece);
      const found = await ask(places.map((place) => requests[place]!));
      for (const [index, place] of places.entries()) answers[place] = found[index]!;
      await this.file.add(places.map((place) => [[...kind, requests[place]], answers[place]]));
    }
    return answers as Answer[];
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
