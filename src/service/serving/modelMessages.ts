import { z } from "zod";
import type { ChatRequest, CompletionRequest } from "../../api/index.js";
import { LOG_LEVELS } from "../../base/index.js";
import type {
  GenerationOptions,
  GenerationRequest,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  ModelReference,
  ModelSurroundings,
  RollingOptions,
} from "../../language/index.js";
import type { SentError } from "../../trainers/workerMessages.js";

/** Options of a call without what cannot be sent: its signal, and who hears of it. */
type Sent<O> = Omit<O, "signal" | "onText" | "onAnswered">;

/** What is asked of a model in a process of its own. */
export type ModelQuestion =
  | {
      readonly method: "generate";
      readonly requests: readonly GenerationRequest[];
      readonly options: Sent<GenerationOptions>;
    }
  | {
      readonly method: "logLikelihood";
      readonly requests: readonly LogLikelihoodRequest[];
      readonly options: Sent<LogLikelihoodOptions>;
    }
  | {
      readonly method: "rollingLogLikelihood";
      readonly requests: readonly string[];
      readonly options: Sent<RollingOptions>;
    }
  | { readonly method: "forward"; readonly requests: readonly (readonly number[])[] }
  | { readonly method: "text"; readonly request: CompletionRequest; readonly limits: AnswerLimits }
  | { readonly method: "chat"; readonly request: ChatRequest; readonly limits: AnswerLimits };

/** As of `CompletionSurroundings`. */
interface AnswerLimits {
  readonly maxNewTokens: number;
  readonly now: number;
}

/** What the process of a model is started with. */
export interface ModelStart {
  readonly reference: ModelReference;
  /** The user's modules: a run's model may be of their making. */
  readonly modules: readonly string[];
  readonly results: string | undefined;
  readonly hub: NonNullable<ModelSurroundings["hub"]>["settings"] | undefined;
  readonly computing: Pick<ModelSurroundings, "engine" | "backend" | "threads">;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Messages to the process of a model. It is asked one thing at a time. */
export type ToModel =
  | { readonly kind: "start"; readonly start: ModelStart }
  | {
      readonly kind: "ask";
      readonly id: number;
      readonly question: ModelQuestion;
      /** Whether pieces of text, and answered requests, are told as they come. */
      readonly tells: boolean;
    }
  | { readonly kind: "cancel"; readonly id: number; readonly error: SentError };

const error = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

/** Messages from the process of a model. */
export const fromModel = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ready"),
    name: z.string(),
    contextLength: z.number().optional(),
    tokenizerFolder: z.string().optional(),
  }),
  z.object({ kind: z.literal("refused"), error }),
  z.object({ kind: z.literal("log"), level: z.enum(LOG_LEVELS), message: z.string() }),
  z.object({ kind: z.literal("text"), id: z.int(), index: z.int(), text: z.string() }),
  z.object({ kind: z.literal("some"), id: z.int(), count: z.int() }),
  z.object({ kind: z.literal("answer"), id: z.int(), value: z.unknown() }),
  z.object({ kind: z.literal("failed"), id: z.int(), error }),
]);
export type FromModel = z.output<typeof fromModel>;
