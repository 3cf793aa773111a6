import { z } from "zod";
import { type Clock, ElenchusError, type Logger, optionFaults } from "../../base/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import type { HostLookup } from "./endpointPost.js";

/** A server that speaks OpenAI's protocol, and what is known of it. */
export interface EndpointSettings {
  /** Address up to the version, for example `https://api.openai.com/v1`. */
  readonly url: string;
  /** The model's name on that server. */
  readonly model: string;
  /** Sent as bearer token, to this address only. `endpointKey` finds it in the environment. */
  readonly key?: string | undefined;
  /**
   * The model's tokenizer. With it texts are cut into tokens here, by the rules of every other model; without it
   * the server cuts the joined text, and neither rolling requests nor continuations without context are possible.
   */
  readonly tokenizer?: Tokenizer | undefined;
  /** The most tokens the model reads at once; needed for rolling requests. Default: unlimited, nothing is cut. */
  readonly contextLength?: number | undefined;
  /** Where answers are asked for. Default `chat`. */
  readonly generation?: "chat" | "completions" | undefined;
  /** Settings beyond OpenAI's own that this server knows. Default none. */
  readonly extensions?: readonly ("top_k" | "repetition_penalty")[] | undefined;
  /** How a chat is told the most tokens of its answer; newer servers of OpenAI want `max_completion_tokens`. */
  readonly lengthField?: "max_tokens" | "max_completion_tokens" | undefined;
  /** Requests under way at a time. Default 4. */
  readonly concurrency?: number | undefined;
  /** The most requests that begin within a minute, evenly spread. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** Attempts per request. Default 5. */
  readonly attempts?: number | undefined;
  /** First pause between attempts, doubled each time, in milliseconds. Default 1,000. */
  readonly firstPause?: number | undefined;
  /** Longest pause, also the longest `Retry-After` that is waited for, in milliseconds. Default 60,000. */
  readonly longestPause?: number | undefined;
  /**
   * How long one attempt may take, in milliseconds; of an answer that is streamed, how long until it begins, and
   * from piece to piece. Default 120,000.
   */
  readonly timeout?: number | undefined;
  /** Finds the address of the server for each connection, and may refuse it. Default: the system's. */
  readonly lookup?: HostLookup | undefined;
}

const positive = z.number().positive().optional();
const count = z.int().positive().optional();

/** Of the settings, all that a mistake could hide in: with no request at a time nothing would ever be asked. */
const schema = z.object({
  url: z.url({ protocol: /^https?$/, error: "expected an address as https://host/v1" }),
  model: z.string().min(1),
  contextLength: count,
  generation: z.enum(["chat", "completions"]).optional(),
  extensions: z.array(z.enum(["top_k", "repetition_penalty"])).optional(),
  lengthField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  concurrency: count,
  requestsPerMinute: positive,
  attempts: count,
  firstPause: z.number().min(0).optional(),
  longestPause: z.number().min(0).optional(),
  timeout: positive,
});

/** @throws CONFIG_VALUE naming every setting that makes no sense */
export function requireSettings(settings: EndpointSettings): void {
  const { error } = schema.safeParse(settings);
  if (error === undefined) return;
  throw new ElenchusError(
    "CONFIG_VALUE",
    `The settings of the endpoint cannot be used: ${optionFaults(error, settings).join("; ")}.`,
  );
}

/** What an endpoint needs of the world. Default: the machine's clock, and silence. */
export interface EndpointEnvironment {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** The key in the environment that is passed in; an empty one is none. */
export function endpointKey(
  environment: Readonly<Record<string, string | undefined>>,
  variable = "OPENAI_API_KEY",
): string | undefined {
  return environment[variable] || undefined;
}
