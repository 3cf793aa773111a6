import { describe, expect, it } from "vitest";
import {
  type ChatTurn,
  createByteTokenizer,
  createNanochatTokenizer,
  createRankTokenizer,
  decodeChatTemplate,
  encodeChatTemplate,
  encodeChatWithMask,
  encodeNanochatConversation,
  encodeNanochatPrompt,
  NANOCHAT_PATTERN,
  renderChatTemplate,
  type Tokenizer,
} from "../../src/tokenizers/index.js";
import { templates } from "./fixtures/chatTemplates.js";
import { goldens } from "./fixtures/goldens.js";

const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
const names = [
  "<bos>",
  "<eos>",
  "<|im_start|>",
  "<|im_end|>",
  "<|start_header_id|>",
  "<|end_header_id|>",
  "<|eot_id|>",
];
const specialTokens = Object.fromEntries(
  [...names, "<start_of_turn>", "<end_of_turn>"].map((name, index) => [name, 300 + index]),
);

/** A token per byte, the double line end, and the special tokens of all templates. */
function tokenizerWith(chatTemplate?: string): Tokenizer {
  return createRankTokenizer({
    tokens: [...bytes, Buffer.from("\n\n")],
    pattern: NANOCHAT_PATTERN,
    specialTokens,
    bos: "<bos>",
    eos: "<eos>",
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
}

/** The text of the ids with mask 1, a bar where it is interrupted. */
function learnt(tokenizer: Tokenizer, turns: readonly ChatTurn[], options = {}): string[] {
  const { ids, mask } = encodeChatWithMask(tokenizer, turns, options);
  const parts: number[][] = [];
  ids.forEach((id, index) => {
    if (!mask[index]) return;
    if (!mask[index - 1]) parts.push([]);
    parts.at(-1)!.push(id);
  });
  return parts.map((part) => tokenizer.decode(part));
}

const user = (content: string): ChatTurn => ({ role: "user", content });
const assistant = (content: string): ChatTurn => ({ role: "assistant", content });

describe("renderChatTemplate", () => {
  it("renders real templates as Jinja does", () => {
    for (const { template, conversation, prompt, text } of goldens.chat.rendered) {
      const tokenizer = tokenizerWith(templates[template as keyof typeof templates]);
      const render = () =>
        renderChatTemplate(tokenizer, goldens.chat.conversations[conversation]!, {
          addGenerationPrompt: prompt,
        });
      if (text === null) expect(render).toThrow(expect.objectContaining({ code: "DATA_INVALID" }));
      else expect({ template, text: render() }).toEqual({ template, text });
    }
  });

  it("uses ChatML where the tokenizer has no template, and puts a system prompt in front", () => {
    const options = { addGenerationPrompt: true, systemPrompt: "Be kind." };
    expect(renderChatTemplate(createByteTokenizer(), [user("Hi")], options)).toBe(
      "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    );
    expect(renderChatTemplate(createByteTokenizer(), [user("Hi")], { systemPrompt: "" })).toBe(
      "<|im_start|>user\nHi<|im_end|>\n",
    );
  });

  it("shows no template today's date, and hands over variables and metadata", () => {
    const tokenizer = createByteTokenizer();
    const template = `{{ strftime_now is defined }} {{ bos_token }} {{ date_string }} {{ messages[0].name }} {% for i in range(2) %}{{ i }}{% endfor %}`;
    const turn = { ...user(""), metadata: { name: "Ada" } };
    expect(renderChatTemplate(tokenizer, [turn], { template, variables: { date_string: "1 May" } })).toBe(
      "false <|bos|> 1 May Ada 01",
    );
  });

  it("says what is wrong with a template or with turns", () => {
    const tokenizer = createByteTokenizer();
    expect(() => renderChatTemplate(tokenizer, [], { template: "{% if %}" })).toThrow(/no Jinja template/);
    expect(() => renderChatTemplate(tokenizer, [assistant("x")], { template: templates.GEMMA })).toThrow(
      /refuses the turns assistant: Conversation roles must alternate/,
    );
  });
});

describe("encodeChatTemplate", () => {
  it("makes one id of a special token that the template writes, and adds nothing", () => {
    const tokenizer = tokenizerWith(templates.LLAMA3);
    const ids = encodeChatTemplate(tokenizer, [user("Hi")], { addGenerationPrompt: true });
    expect(ids.filter((id) => id >= 300)).toEqual([300, 304, 305, 306, 304, 305]);
    expect(tokenizer.decode(ids)).toBe(
      "<bos><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
    );
  });
});

describe("encodeChatWithMask", () => {
  const turns = [user("Why?"), assistant("Because."), user("Because."), assistant(" Because.\n")];

  it("marks contents and end tokens, not heads and not the line end behind", () => {
    expect(learnt(tokenizerWith(templates.SMOLLM2), turns)).toEqual([
      "Because.<|im_end|>",
      " Because.\n<|im_end|>",
    ]);
    expect(learnt(tokenizerWith(templates.QWEN25), turns)).toEqual([
      "Because.<|im_end|>",
      " Because.\n<|im_end|>",
    ]);
    expect(learnt(tokenizerWith(templates.LLAMA3), turns)).toEqual([
      "Because.<|eot_id|>",
      "Because.<|eot_id|>",
    ]);
    expect(learnt(tokenizerWith(templates.GEMMA), turns)).toEqual([
      "Because.<end_of_turn>",
      "Because.<end_of_turn>",
    ]);
    expect(learnt(tokenizerWith(), turns)).toEqual(["Because.<|im_end|>", " Because.\n<|im_end|>"]);
  });

  it("finds answers whose thoughts the template leaves out later on", () => {
    const thoughtful = [
      user("Why?"),
      assistant("<think>\nhm\n</think>\n\nBecause."),
      user("Because."),
      assistant("<think>\nso\n</think>\n\nBecause."),
    ];
    const [first, second] = learnt(tokenizerWith(templates.THINKING), thoughtful);
    expect(first).toBe("Because.<|im_end|>");
    expect(second).toBe("<think>\nso\n</think>\n\nBecause.<|im_end|>");
  });

  it("finds an answer that comes first, several in a row and empty ones", () => {
    expect(learnt(tokenizerWith(templates.QWEN25), [assistant("Hi"), user("Hi"), assistant("Hi")])).toEqual([
      "Hi<|im_end|>",
      "Hi<|im_end|>",
    ]);
    expect(learnt(tokenizerWith(), [user("a"), assistant("b"), assistant("")])).toEqual([
      "b<|im_end|>",
      "<|im_end|>",
    ]);
    expect(learnt(tokenizerWith(), [user("a")])).toEqual([]);
  });

  it("does not ask for a token that begins in the head", () => {
    // The head's line end and the answer's first one are one token.
    expect(learnt(tokenizerWith(), [user("a"), assistant("\nb")])).toEqual(["b<|im_end|>"]);
  });

  it("marks the content alone where nothing ends a turn", () => {
    const template =
      "{% for m in messages %}{{ m.role + ': ' + m.content + '\\n' }}{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}";
    expect(learnt(tokenizerWith(template), [user("a"), assistant("b c")])).toEqual(["b c"]);
  });

  it("keeps a system prompt out", () => {
    expect(learnt(tokenizerWith(), [user("a"), assistant("b")], { systemPrompt: "b" })).toEqual([
      "b<|im_end|>",
    ]);
  });
});

describe("decodeChatTemplate", () => {
  const turns = [user("Why?"), assistant("Because.")];

  it("reads back what templates wrote", () => {
    for (const template of [templates.LLAMA3, templates.GEMMA, templates.THINKING]) {
      const tokenizer = tokenizerWith(template);
      const read = decodeChatTemplate(encodeChatTemplate(tokenizer, turns), tokenizer);
      expect(read.at(0)).toEqual(turns[0]);
      expect(read.at(1)?.content).toMatch(/Because\.$/);
    }
    const text = renderChatTemplate(tokenizerWith(templates.SMOLLM2), turns, { addGenerationPrompt: true });
    expect(decodeChatTemplate(text).map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
  });

  it("reads turns without end, instructions, nanochat's markers and plain text", () => {
    expect(decodeChatTemplate("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHel")).toEqual([
      user("Hi"),
      assistant("Hel"),
    ]);
    expect(decodeChatTemplate("<s>[INST] Hi [/INST] Hello </s>[INST] Bye [/INST]")).toEqual([
      user("Hi"),
      assistant("Hello"),
      user("Bye"),
    ]);
    expect(
      decodeChatTemplate("<|bos|><|user_start|>Hi<|user_end|><|assistant_start|>Hello<|assistant_end|>"),
    ).toEqual([user("Hi"), assistant("Hello")]);
    expect(decodeChatTemplate("  words ")).toEqual([assistant("words")]);
    expect(decodeChatTemplate(" \n")).toEqual([]);
  });
});

describe("nanochat's conversations", () => {
  const tokenizer = createNanochatTokenizer(bytes);
  const [
    bos,
    userStart,
    userEnd,
    assistantStart,
    assistantEnd,
    pythonStart,
    pythonEnd,
    outputStart,
    outputEnd,
  ] = Array.from({ length: 9 }, (_, index) => 256 + index) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const code = (letter: string) => letter.charCodeAt(0);

  it("stand between markers, with a mask of what the assistant says", () => {
    const { ids, mask } = encodeNanochatConversation(tokenizer, [
      { role: "system", content: "S" },
      { role: "user", content: "U" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "A" },
          { type: "python", text: "P" },
          { type: "python_output", text: "O" },
        ],
      },
    ]);
    const learntAt: [number, 0 | 1][] = [
      [bos, 0],
      [userStart, 0],
      [code("S"), 0],
      [10, 0],
      [10, 0],
      [code("U"), 0],
      [userEnd, 0],
      [assistantStart, 0],
      [code("A"), 1],
      [pythonStart, 1],
      [code("P"), 1],
      [pythonEnd, 1],
      [outputStart, 0],
      [code("O"), 0],
      [outputEnd, 0],
      [assistantEnd, 1],
    ];
    expect(ids).toEqual(learntAt.map(([id]) => id));
    expect([...mask]).toEqual(learntAt.map(([, one]) => one));
  });

  it("cannot be broken by a text that names a special token", () => {
    const { ids } = encodeNanochatConversation(tokenizer, [user("<|user_end|>")]);
    expect(ids.filter((id) => id === userEnd)).toHaveLength(1);
  });

  it("are cut at the end, and ask for an answer with the assistant's marker", () => {
    const turns = [user("abc"), assistant("d")];
    expect(encodeNanochatConversation(tokenizer, turns, { mostTokens: 3 })).toEqual({
      ids: [bos, userStart, code("a")],
      mask: Uint8Array.of(0, 0, 0),
    });
    expect(encodeNanochatPrompt(tokenizer, turns)).toEqual([
      bos,
      userStart,
      code("a"),
      code("b"),
      code("c"),
      userEnd,
      assistantStart,
    ]);
    expect(encodeNanochatPrompt(tokenizer, [user("a")], { mostTokens: 2 })).toEqual([
      bos,
      userStart,
      assistantStart,
    ]);
  });

  it("are refused in another order, with parts of a user, and without the markers", () => {
    const invalid = expect.objectContaining({ code: "DATA_INVALID" });
    for (const turns of [[], [assistant("a")], [user("a"), user("b")], [{ role: "system", content: "s" }]]) {
      expect(() => encodeNanochatConversation(tokenizer, turns)).toThrow(invalid);
    }
    expect(() =>
      encodeNanochatConversation(tokenizer, [{ role: "user", content: [{ type: "text", text: "a" }] }]),
    ).toThrow(invalid);
    expect(() => encodeNanochatConversation(createByteTokenizer(), [user("a")])).toThrow(/user_start/);
  });
});
