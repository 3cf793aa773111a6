import { Template } from "@huggingface/jinja";
import { ElenchusError, messageOf } from "../base/index.js";
import { CHATML_TEMPLATE } from "./chatTemplates.js";
import type { ChatTurn } from "./chatTurn.js";
import type { Tokenizer } from "./tokenizer.js";

/** How turns become a text. */
export interface ChatTemplateOptions {
  /** Ends with the head of an assistant's turn, so that a model goes on with its content. Default false. */
  readonly addGenerationPrompt?: boolean;
  /** A Jinja template. Default: the tokenizer's, else ChatML. */
  readonly template?: string;
  /** Becomes a first turn of role `system`. Default none; an empty one is none. */
  readonly systemPrompt?: string;
  /** Further variables of the template: `tools`, `enable_thinking`, `date_string`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/**
 * Renders turns by a chat template. Templates that ask for today's date get their own default: a text must not
 * depend on the day (`variables` can say otherwise).
 * @throws INPUT_UNREADABLE for a template that is no Jinja; DATA_INVALID for turns that the template refuses
 */
export function renderChatTemplate(
  tokenizer: Tokenizer,
  turns: readonly ChatTurn[],
  options: ChatTemplateOptions = {},
): string {
  const template = compiled(options.template ?? tokenizer.chatTemplate ?? CHATML_TEMPLATE);
  const all = withSystemPrompt(turns, options.systemPrompt);
  try {
    return template.render({
      ...specialNames(tokenizer),
      ...options.variables,
      messages: all.map(({ role, content, metadata }) => ({ ...metadata, role, content })),
      add_generation_prompt: options.addGenerationPrompt ?? false,
      raise_exception: (reason: unknown) => {
        throw new Error(String(reason));
      },
    });
  } catch (error) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The chat template refuses the turns ${all.map((turn) => turn.role).join(", ") || "(none)"}: ${messageOf(error)}. Expected roles in the order that the template knows.`,
      { cause: error },
    );
  }
}

/** The turns with a system prompt in front. */
export function withSystemPrompt(
  turns: readonly ChatTurn[],
  systemPrompt: string | undefined,
): readonly ChatTurn[] {
  return systemPrompt ? [{ role: "system", content: systemPrompt }, ...turns] : turns;
}

/** Templates are few and used for every row. */
const COMPILED = new Map<string, Template>();

function compiled(source: string): Template {
  const known = COMPILED.get(source);
  if (known !== undefined) return known;
  let template: Template;
  try {
    template = new Template(source);
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `The chat template is no Jinja template that can be read: ${messageOf(error)}. It begins with ${JSON.stringify(source.slice(0, 80))}.`,
      { cause: error },
    );
  }
  if (COMPILED.size >= 32) COMPILED.clear();
  COMPILED.set(source, template);
  return template;
}

function specialNames({ special, idToToken }: Tokenizer): Record<string, string> {
  const names: Record<string, string> = {};
  for (const part of ["bos", "eos", "pad", "unk"] as const) {
    const id = special[part];
    const name = id === undefined ? undefined : idToToken(id);
    if (name !== undefined) names[`${part}_token`] = name;
  }
  return names;
}
