import type { Tokenizer } from "../../tokenizers/index.js";
import type { LanguageModel } from "../languageModel.js";

/** A model that a reference named, ready to be asked. */
export interface OpenedModel {
  /** How it is named, without secrets. */
  readonly name: string;
  readonly model: LanguageModel;
  /** Absent where a server makes the tokens itself. */
  readonly tokenizer: Tokenizer | undefined;
  /** Where the tokenizer's files lie; absent where it is not of files, or a server's. */
  readonly tokenizerFolder?: string | undefined;
  /** Requests that go to it at a time; absent for a model that is computed here. */
  readonly concurrency?: number | undefined;
  /** Posts a document of OpenAI's protocol to its server; absent for a model that is computed here. */
  readonly post?: ((path: string, body: unknown, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** Frees what was made for it. To be called once. */
  release(): Promise<void>;
}
