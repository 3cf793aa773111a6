import { z } from "zod";
import { ElenchusError, optionFaults } from "../../base/index.js";

/** A server that speaks OpenAI's protocol, and what is known of it. */
const endpointReferenceSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "expected an address as https://host/v1" })
    .max(2000, "expected an address of at most 2,000 characters")
    .meta({ description: "Address up to the version: `https://host/v1`." }),
  model: z.string().min(1).meta({ description: "The model's name on that server." }),
  key_variable: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .optional()
    .meta({
      description:
        "Variable of the environment that holds the key. Absent: OPENAI_API_KEY for api.openai.com, none elsewhere.",
    }),
  generation: z.enum(["chat", "completions"]).optional().meta({
    description: "Where answers are asked for; `chat` when absent.",
  }),
  tokenizer: z.string().min(1).optional().meta({
    description: "Folder or repository with the model's tokenizer, for log-likelihoods of texts.",
  }),
  context_length: z
    .int()
    .positive()
    .optional()
    .meta({ description: "The most tokens it reads at once.", unit: "tokens" }),
  extensions: z
    .array(z.enum(["top_k", "repetition_penalty"]))
    .optional()
    .meta({
      description: "Settings beyond OpenAI's own that the server knows.",
    }),
  length_field: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  concurrency: z.int().positive().optional().meta({ description: "Requests at a time; 4 when absent." }),
  requests_per_minute: z.number().positive().optional(),
  attempts: z.int().positive().optional().meta({ description: "Attempts per request; 5 when absent." }),
  first_pause: z
    .number()
    .min(0)
    .optional()
    .meta({ description: "Pause before a second attempt, doubled each time.", unit: "ms" }),
  longest_pause: z
    .number()
    .min(0)
    .optional()
    .meta({ description: "Longest pause between attempts.", unit: "ms" }),
  timeout: z.number().positive().optional().meta({ description: "Of one attempt.", unit: "ms" }),
});

/** Weights on this machine or a hub, as Hugging Face's libraries lay them out. */
const pretrainedReferenceSchema = z.strictObject({
  pretrained: z.string().min(1).meta({ description: "A folder, or a repository of a hub." }),
  revision: z.string().min(1).optional().meta({ description: "Branch, tag or commit." }),
});

/** The model of a run's checkpoint. */
const runReferenceSchema = z.strictObject({
  run: z.string().min(1).meta({ description: "Run id, its folder or its CSV." }),
  round: z.int().min(0).optional().meta({ description: "The newest that was kept when absent." }),
});

/** The model that is being evaluated. */
const selfReferenceSchema = z.strictObject({ self: z.literal(true) });

const referenceObjectSchema = z.union([
  endpointReferenceSchema,
  pretrainedReferenceSchema,
  runReferenceSchema,
  selfReferenceSchema,
]);

/** Any way in which a model is named: a text, or an object. */
export const modelReferenceSchema = z.union([z.string().min(1), referenceObjectSchema]);

/** A model as it is named in full. */
export type ModelReference = z.output<typeof referenceObjectSchema>;
export type EndpointReference = z.output<typeof endpointReferenceSchema>;
export type PretrainedReference = z.output<typeof pretrainedReferenceSchema>;
export type RunReference = z.output<typeof runReferenceSchema>;

/**
 * Reads a reference. A text is `self`; `https://host/v1#MODEL`; `run:RUN`, `run:RUN@ROUND` or `RUN@ROUND`; else a folder
 * or repository with a model, which `pretrained:` may say in front. An object names the same with more settings.
 * @param key how the user knows the place that names it, such as `judge_model`
 * @throws CONFIG_INVALID
 */
export function parseModelReference(reference: unknown, key?: string): ModelReference {
  if (typeof reference === "string") return fromText(reference, key);
  const { data, error } = referenceObjectSchema.safeParse(reference);
  if (data !== undefined) return data;
  const own = schemaFor(reference)?.safeParse(reference).error;
  const faults = own === undefined ? [`found ${shown(reference)}`] : optionFaults(own ?? error, reference);
  throw invalid(faults.join("; "), key);
}

/** Values of an object may be secrets. */
function shown(reference: unknown): string {
  if (typeof reference !== "object" || reference === null) return JSON.stringify(reference) ?? "nothing";
  return `{ ${Object.keys(reference).join(", ")} }`;
}

/** The one whose key it has: faults of all others would only confuse. */
function schemaFor(reference: unknown): z.ZodType | undefined {
  if (typeof reference !== "object" || reference === null) return undefined;
  if ("url" in reference) return endpointReferenceSchema;
  if ("pretrained" in reference) return pretrainedReferenceSchema;
  return "run" in reference ? runReferenceSchema : undefined;
}

function fromText(text: string, key: string | undefined): ModelReference {
  const name = text.trim();
  if (name === "self") return { self: true };
  if (/^https?:\/\//i.test(name)) return fromAddress(name, key);
  if (name.startsWith("pretrained:")) return pretrained(name.slice("pretrained:".length), key);
  const [, prefix, run, round] = /^(run:)?(.+?)(?:@(\d{1,9}))?$/s.exec(name) ?? [];
  if (run === undefined) throw invalid("it is empty", key);
  if (prefix === undefined && round === undefined) return pretrained(name, key);
  return { run, ...(round !== undefined && { round: Number(round) }) };
}

function fromAddress(address: string, key: string | undefined): ModelReference {
  const cut = address.indexOf("#");
  const model = cut < 0 ? "" : nameIn(address.slice(cut + 1));
  if (model === "") throw invalid(`${address} does not say which model: write ${address}#MODEL`, key);
  return parseModelReference({ url: cut < 0 ? address : address.slice(0, cut), model }, key);
}

/** A fragment as it is meant; as it is written where its percents are none of an address. */
function nameIn(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function pretrained(name: string, key: string | undefined): ModelReference {
  if (name.trim() === "") throw invalid("it is empty", key);
  return { pretrained: name.trim() };
}

function invalid(faults: string, key: string | undefined): ElenchusError {
  return new ElenchusError(
    "CONFIG_INVALID",
    `${key === undefined ? "A model is not named as one can be" : `${key} names no model`}: ${faults}. Expected https://host/v1#MODEL, a folder or repository, RUN@ROUND, or an object { url, model }, { pretrained } or { run, round }.`,
  );
}
