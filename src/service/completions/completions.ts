import type { ChatCompletion, ChatRequest, Completion, CompletionRequest } from "../../api/index.js";
import type { LanguageModel } from "../../language/index.js";
import { completeChat } from "./completeChat.js";
import { type CompletionSurroundings, completeText } from "./completeText.js";

/** Who answers requests of OpenAI's protocol. */
export interface Completions {
  /** @throws as `completeText` */
  text(request: CompletionRequest, surroundings: CompletionSurroundings): Promise<Completion>;
  /** @throws as `completeChat` */
  chat(request: ChatRequest, surroundings: CompletionSurroundings): Promise<ChatCompletion>;
}

/** Answers by a model of this process. */
export function completionsBy(model: LanguageModel): Completions {
  return {
    text: (request, surroundings) => completeText(model, request, surroundings),
    chat: (request, surroundings) => completeChat(model, request, surroundings),
  };
}
