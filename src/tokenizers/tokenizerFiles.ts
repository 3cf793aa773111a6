import { z } from "zod";
import { ElenchusError, messageOf } from "../base/index.js";

/** What is read of `tokenizer.json`; the whole document goes on to the library that runs it. */
const addedToken = z.looseObject({
  id: z.int().min(0).max(10_000_000),
  content: z.string(),
  special: z.boolean().optional(),
});
const component = z.looseObject({ type: z.string() });
const tokenizerSchema = z.looseObject({
  added_tokens: z.array(addedToken).default([]),
  normalizer: component.nullish(),
  pre_tokenizer: component.nullish(),
  post_processor: component.nullish(),
  decoder: component.nullish(),
  model: z.looseObject({ type: z.string().optional(), unk_token: z.string().nullish() }),
});

/** A token as a name, or as an object that carries it. */
const tokenName = z.union([z.string(), z.looseObject({ content: z.string() })]).nullish();
const namesSchema = z.looseObject({
  bos_token: tokenName,
  eos_token: tokenName,
  pad_token: tokenName,
  unk_token: tokenName,
});
const configSchema = namesSchema.extend({
  chat_template: z
    .union([z.string(), z.array(z.looseObject({ name: z.string(), template: z.string() }))])
    .nullish(),
  added_tokens_decoder: z.record(z.string(), addedToken.omit({ id: true })).nullish(),
});

export type TokenizerDocument = z.infer<typeof tokenizerSchema>;
export type TokenizerConfigDocument = z.infer<typeof configSchema>;
export type SpecialNamesDocument = z.infer<typeof namesSchema>;

/** Reads `tokenizer.json`. @throws INPUT_UNREADABLE */
export function parseTokenizerDocument(text: string, name = "tokenizer.json"): TokenizerDocument {
  return parse(text, name, tokenizerSchema);
}

/** Reads `tokenizer_config.json`. @throws INPUT_UNREADABLE */
export function parseTokenizerConfig(text: string, name = "tokenizer_config.json"): TokenizerConfigDocument {
  return parse(text, name, configSchema);
}

/** Reads `special_tokens_map.json`. @throws INPUT_UNREADABLE */
export function parseSpecialNames(text: string, name = "special_tokens_map.json"): SpecialNamesDocument {
  return parse(text, name, namesSchema);
}

function parse<T>(text: string, name: string, schema: z.ZodType<T>): T {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new ElenchusError("INPUT_UNREADABLE", `${name} is no JSON: ${messageOf(error)}. Fetch it anew.`, {
      cause: error,
    });
  }
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `${name} is no tokenizer's file: ${path.join(".") || "the document"}: ${message}.`,
    { cause: parsed.error },
  );
}
