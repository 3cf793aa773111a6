import type { GenerationRequest, GenerationSettings } from "../../language/index.js";
import { constructPrompt, fewShotPrompt, type MixEvalRow } from "../../scoring/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";

/** How questions of MixEval are put to a model. */
export interface QuestionForm {
  /** Five worked examples in front, as one text; else a turn of a chat. */
  readonly baseModel: boolean;
  readonly systemPrompt?: string | undefined;
  readonly settings: GenerationSettings;
}

/** What is sent for a question, as MixEval's files hold it under `formated_input`. */
export function promptOf(row: MixEvalRow, baseModel: boolean): string {
  return baseModel ? fewShotPrompt(row) : constructPrompt(row);
}

/** The request for a prompt. */
export function promptRequest(
  prompt: string,
  { baseModel, systemPrompt }: Pick<QuestionForm, "baseModel" | "systemPrompt">,
): GenerationRequest {
  if (baseModel) return { prompt };
  const system = systemPrompt === undefined ? [] : [{ role: "system" as const, content: systemPrompt }];
  return { prompt: [...system, { role: "user" as const, content: prompt }] };
}

/** A model whose tokenizer is here and has no chat template can only go on with texts. */
export function isBaseModel(tokenizer: Pick<Tokenizer, "chatTemplate"> | undefined): boolean {
  return tokenizer !== undefined && tokenizer.chatTemplate === undefined;
}

/** The most tokens of an answer: as MixEval allows its open chat and base models, and those behind a server. */
export function usualNewTokens(baseModel: boolean, tokenizer: Tokenizer | undefined): number {
  if (baseModel) return 399;
  return tokenizer === undefined ? 1536 : 512;
}
