import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";
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
 * Renders turns by a chat template. No template sees today's date unless `variables` brings it
 * (`strftime_now`): a text must not depend on the day.
 * @throws INPUT_UNREADABLE for a template that is no Jinja; DATA_INVALID for turns that the template refuses
 */
export function renderChatTemplate(
  tokenizer: Tokenizer,
  turns: readonly ChatTurn[],
  options: ChatTemplateOptions = {},
): string {
  const source = options.template ?? tokenizer.chatTemplate ?? CHATML_TEMPLATE;
  const file = options.template === undefined ? tokenizer.chatTemplateFile : undefined;
  const where = file === undefined ? "" : ` of ${file}`;
  const program = parseTemplate(source, where);
  const all = withSystemPrompt(turns, options.systemPrompt);
  const environment = new Environment();
  const variables = {
    ...GLOBALS,
    ...specialNames(tokenizer),
    ...options.variables,
    messages: all.map(({ role, content, metadata }) => ({ ...metadata, role, content })),
    add_generation_prompt: options.addGenerationPrompt ?? false,
  };
  try {
    for (const [name, value] of Object.entries(variables)) environment.set(name, value);
    return String(new Interpreter(environment).run(program).value);
  } catch (error) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The chat template${where} refuses the turns ${all.map((turn) => turn.role).join(", ") || "(none)"}: ${messageOf(error)}. Expected roles in the order that the template knows.`,
      { cause: error },
    );
  }
}

/** What every template may use. */
const GLOBALS = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  range(start: number, end?: number, step = 1): number[] {
    const [from, to] = end === undefined ? [0, start] : [start, end];
    return Array.from(
      { length: Math.max(0, Math.ceil((to - from) / step)) },
      (_, index) => from + index * step,
    );
  },
  raise_exception(reason: unknown): never {
    throw new Error(String(reason));
  },
} as const;

/** The turns with a system prompt in front. */
export function withSystemPrompt(
  turns: readonly ChatTurn[],
  systemPrompt: string | undefined,
): readonly ChatTurn[] {
  return systemPrompt ? [{ role: "system", content: systemPrompt }, ...turns] : turns;
}

type Program = ReturnType<typeof parse>;

/** Reading a template is pure and slower than rendering it; templates are few and used for every row. */
const PARSED = new Map<string, Program>();

/** @param where the file that it is from, for messages */
function parseTemplate(source: string, where: string): Program {
  const known = PARSED.get(source);
  if (known !== undefined) return known;
  let program: Program;
  try {
    // As the reference implementation sets Jinja: the line end behind a block goes, and spaces before one.
    program = parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true }));
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `The chat template${where} is no Jinja template that can be read: ${messageOf(error)}. It begins with ${JSON.stringify(source.slice(0, 80))}.`,
      { cause: error },
    );
  }
  if (PARSED.size >= 32) PARSED.clear();
  PARSED.set(source, program);
  return program;
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
