import { type ModelReference, type OpenedModel, parseModelReference } from "../language/index.js";
import type { JudgeModel, JudgeModels } from "../scoring/index.js";

/**
 * Judges by model reference, for scorers that ask a model.
 * @param open opens what a reference names, perhaps from a cache
 */
export function judgeModels(open: (reference: ModelReference) => Promise<OpenedModel>): JudgeModels {
  return {
    async open(reference) {
      return judgeModel(await open(parseModelReference(reference)));
    },
  };
}

function judgeModel({ name, model, tokenizer, post, release }: OpenedModel): JudgeModel {
  return {
    name,
    async ask(messages, { temperature, maxTokens, seed }, signal) {
      const settings = { temperature, maxNewTokens: maxTokens, seed, signal };
      const [answer] = await model.generate([{ prompt: messages }], settings);
      const { text, usage, tokens } = answer!;
      return {
        text,
        inputTokens: usage?.inputTokens,
        outputTokens: usage?.outputTokens ?? (tokenizer === undefined ? undefined : tokens?.length),
      };
    },
    ...(post && { post: (path, body, signal) => post(path, body, signal) }),
    release,
  };
}
