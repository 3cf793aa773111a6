import * as library from "@huggingface/tokenizers";
import { ElenchusError, messageOf } from "../base/index.js";
import { type AlignedToken, alignTokens } from "./alignment.js";
import { createPieceEncoder, isPiecewise, splittersOf } from "./pieceEncoder.js";
import { createSpecialSplitter } from "./specialNames.js";
import { createTextStream } from "./textStream.js";
import type { EncodeOptions, SpecialTokens, Tokenizer } from "./tokenizer.js";
import type { SpecialNamesDocument, TokenizerConfigDocument, TokenizerDocument } from "./tokenizerFiles.js";
import { createTokenSurface } from "./tokenSurface.js";

/** The files of a tokenizer as Hugging Face has them, parsed. */
export interface JsonTokenizerFiles {
  readonly tokenizer: TokenizerDocument;
  readonly config?: TokenizerConfigDocument;
  readonly specialNames?: SpecialNamesDocument;
  /** A chat template in a file of its own; it counts before the one in the configuration. */
  readonly chatTemplate?: string;
  /** Where the chat template that counts is from, for messages. */
  readonly chatTemplateFile?: string;
}

/**
 * A tokenizer of `tokenizer.json`, run by `@huggingface/tokenizers`. Text is never cleaned up after decoding,
 * whatever `clean_up_tokenization_spaces` says: it takes away spaces that were there.
 * @throws INPUT_UNREADABLE where the library cannot run it
 */
export function createJsonTokenizer(files: JsonTokenizerFiles): Tokenizer {
  const config = files.config ?? {};
  const document = { ...files.tokenizer, added_tokens: allAddedTokens(files.tokenizer, config) };
  const engine = createEngine(document, config);
  const toIds = createEncoder(document, config, engine);
  // Without the special tokens among the added ones, their names are ordinary text.
  let toPlainIds: ToIds | undefined;
  const encoderFor = ({ specialTokens = "parse" }: EncodeOptions): ToIds => {
    if (specialTokens === "parse") return toIds;
    const added_tokens = document.added_tokens.filter((token) => !token.special);
    toPlainIds ??= createEncoder({ ...document, added_tokens }, config);
    return toPlainIds;
  };

  const vocabularySize = 1 + [...engine.get_vocab().values()].reduce((most, id) => Math.max(most, id), -1);
  const special = specialTokensOf(engine, files);
  const added = new Map(document.added_tokens.map(({ id, content }) => [id, content]));
  const specialIds = [...specialIdsOf(document, special)].sort((one, other) => one - other);
  const isSpecial = new Set(specialIds);
  const surface = createTokenSurface(document);

  const bytesOfId = new Map<number, Uint8Array>();
  const tokenBytes = (id: number): Uint8Array => {
    if (isSpecial.has(id)) return NO_BYTES;
    const content = added.get(id);
    if (content !== undefined) return Buffer.from(content);
    let bytes = bytesOfId.get(id);
    if (bytes === undefined) {
      const token = engine.id_to_token(id);
      bytes = token === undefined ? NO_BYTES : surface.bytesOf(token);
      if (token !== undefined) bytesOfId.set(id, bytes);
    }
    return bytes;
  };
  const encode = (text: string, options: EncodeOptions): number[] => {
    const ids = encoderFor(options)(text);
    if (ids.every((id) => id !== undefined)) return ids;
    throw new ElenchusError(
      "DATA_INVALID",
      `The text has a part that the tokenizer has no token for, and it has no unknown token either. Expected a tokenizer whose vocabulary covers the text.`,
    );
  };
  const around = idsAround(engine);
  const namesOf = (tokens: typeof document.added_tokens) =>
    createSpecialSplitter(new Map(tokens.map(({ content, id }) => [content, id])));
  const splitAdded = namesOf(document.added_tokens);
  const splitOrdinary = namesOf(document.added_tokens.filter((token) => !token.special));

  const tokenizer: Tokenizer = {
    vocabularySize,
    special,
    specialIds,
    chatTemplate: files.chatTemplate ?? chatTemplateOf(config),
    chatTemplateFile: files.chatTemplateFile,
    byteLevel: surface.byteLevel,
    encode(text, options = {}) {
      const ids = encode(text, options);
      return options.addSpecialTokens ? [...around.before, ...ids, ...around.after] : ids;
    },
    encodeWithOffsets(text, options = {}) {
      const ids = encode(text, options);
      const tokens = ids.map((id): AlignedToken => {
        if (id === special.unk) return { bytes: undefined };
        const content = added.get(id);
        if (content !== undefined) return { bytes: Buffer.from(content) };
        return { bytes: surface.searchedAs(engine.id_to_token(id)!) };
      });
      const offsets = alignTokens(text, tokens, {
        split: options.specialTokens === "text" ? splitOrdinary : splitAdded,
        normalise: (part) => engine.normalizer?.normalize(part) ?? part,
      });
      if (!options.addSpecialTokens) return { ids, offsets };
      return {
        ids: [...around.before, ...ids, ...around.after],
        offsets: [
          ...around.before.map(() => [0, 0] as const),
          ...offsets,
          ...around.after.map(() => [text.length, text.length] as const),
        ],
      };
    },
    decode(ids, options = {}) {
      if (surface.byteLevel) {
        const stream = createTextStream(tokenizer, options);
        return stream.push(ids) + stream.end();
      }
      const kept = Array.from(ids).filter(
        (id) => engine.id_to_token(id) !== undefined && !(options.skipSpecialTokens && isSpecial.has(id)),
      );
      return kept.length === 0 ? "" : engine.decode(kept, { clean_up_tokenization_spaces: false });
    },
    tokenBytes,
    tokenToId: (token) => engine.token_to_id(token),
    idToToken: (id) => engine.id_to_token(id),
  };
  return tokenizer;
}

const NO_BYTES = new Uint8Array(0);

/** What is used of the library's tokenizer; its own declarations do not resolve under Node's module rules. */
interface Engine {
  readonly normalizer: { normalize(text: string): string } | null;
  readonly pre_tokenizer: { pre_tokenize(text: string): string[] } | null;
  readonly model: { _call(pieces: string[]): string[] };
  encode(text: string, options: { add_special_tokens: boolean }): { ids: (number | undefined)[] };
  decode(ids: number[], options: { clean_up_tokenization_spaces: boolean }): string;
  token_to_id(token: string): number | undefined;
  id_to_token(id: number): string | undefined;
  get_vocab(): Map<string, number>;
}

type ToIds = (text: string) => (number | undefined)[];

/** The way from a text to ids: piece by piece where the tokenizer works by pieces, else all at once. */
function createEncoder(
  document: TokenizerDocument,
  config: TokenizerConfigDocument,
  engine = createEngine(document, config),
): ToIds {
  if (!isPiecewise(document)) return (text) => engine.encode(text, { add_special_tokens: false }).ids;
  const splitters = splittersOf(document);
  const splitter =
    splitters && createEngine({ ...document, added_tokens: [], pre_tokenizer: splitters }, config);
  return createPieceEncoder(document, {
    split: splitter && ((text) => splitter.pre_tokenizer?.pre_tokenize(text) ?? [text]),
    merge: (piece) => engine.model._call([piece]).map((token) => engine.token_to_id(token)),
  });
}

function createEngine(document: TokenizerDocument, config: TokenizerConfigDocument): Engine {
  try {
    // The library asks for every component by name, absent ones as null.
    const components = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null };
    return new library.Tokenizer({ ...components, ...document }, config) as Engine;
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `tokenizer.json cannot be run: ${messageOf(error)}. Expected a tokenizer of the kinds that @huggingface/tokenizers knows.`,
      { cause: error },
    );
  }
}

/** Tokens that only the configuration adds are added as well, as the reference implementation does. */
function allAddedTokens(document: TokenizerDocument, config: TokenizerConfigDocument) {
  const known = new Set(document.added_tokens.map(({ id }) => id));
  const more = Object.entries(config.added_tokens_decoder ?? {})
    .map(([id, token]) => ({ ...token, id: Number(id) }))
    .filter(({ id }) => Number.isInteger(id) && id >= 0 && !known.has(id));
  return [...document.added_tokens, ...more];
}

function specialTokensOf(
  engine: Engine,
  { tokenizer, config, specialNames }: JsonTokenizerFiles,
): SpecialTokens {
  const idOf = (key: "bos_token" | "eos_token" | "pad_token" | "unk_token") => {
    const named = config?.[key] ?? specialNames?.[key];
    const name = typeof named === "string" ? named : named?.content;
    return name === undefined ? undefined : engine.token_to_id(name);
  };
  const unk = tokenizer.model.unk_token;
  return {
    bos: idOf("bos_token"),
    eos: idOf("eos_token"),
    pad: idOf("pad_token"),
    unk: idOf("unk_token") ?? (typeof unk === "string" ? engine.token_to_id(unk) : undefined),
  };
}

function specialIdsOf(document: TokenizerDocument, special: SpecialTokens): Set<number> {
  const ids = document.added_tokens.filter((token) => token.special).map(({ id }) => id);
  const parts = [special.bos, special.eos, special.pad, special.unk];
  return new Set([...ids, ...parts.filter((id) => id !== undefined)]);
}

/** The default of several named templates is the one that counts. */
function chatTemplateOf({ chat_template: template }: TokenizerConfigDocument): string | undefined {
  if (typeof template === "string") return template;
  return (template?.find(({ name }) => name === "default") ?? template?.[0])?.template;
}

/** What the tokenizer puts around a text: found by a text that has ids of its own. */
function idsAround(engine: Engine): { before: number[]; after: number[] } {
  const probe = "a";
  const bare = engine.encode(probe, { add_special_tokens: false }).ids;
  const whole = engine.encode(probe, { add_special_tokens: true }).ids;
  for (let start = 0; start + bare.length <= whole.length; start++) {
    if (bare.every((id, index) => whole[start + index] === id)) {
      const known = (ids: (number | undefined)[]) => ids.filter((id) => id !== undefined);
      return { before: known(whole.slice(0, start)), after: known(whole.slice(start + bare.length)) };
    }
  }
  return { before: [], after: [] };
}
