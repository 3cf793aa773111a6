import { describe, expect, it } from "vitest";
import { checkInstructions, INSTRUCTION_IDS } from "../../src/scoring/ifeval/index.js";

type Verdict = [response: string, strict: boolean, loose?: boolean];
interface Group {
  kwargs?: Record<string, unknown>;
  /** Loose is strict where it is not given. */
  verdicts: Verdict[];
}

const FENCE = "```";

/** Worked out by hand from the rules of the reference implementation. */
const GROUPS: Record<string, Group[]> = {
  "keywords:existence": [
    {
      kwargs: { keywords: ["cat", "dog"] },
      verdicts: [
        ["The CATALOGUE of dogs", true],
        ["a cat alone", false],
        ["ca*t and dog", false, true],
      ],
    },
    {
      kwargs: { keywords: ["c.t"] },
      verdicts: [
        ["cut", true],
        ["c\nt", false],
        ["c\rt", true],
      ],
    },
    {
      kwargs: { keywords: ["istanbul"] },
      verdicts: [
        ["İSTANBUL", true],
        ["ıstanbul", true],
        ["ſtanbul", false],
      ],
    },
    { kwargs: { keywords: ["kg"] }, verdicts: [["5 \u212ag", true]] },
  ],
  "keywords:frequency": [
    {
      kwargs: { keyword: " ana ", frequency: 2, relation: "at least" },
      verdicts: [
        ["banana", false],
        ["banana ana", true],
        ["Ana, ANA", true],
      ],
    },
    {
      kwargs: { keyword: "x", frequency: 2, relation: "less than" },
      verdicts: [
        ["x", true],
        ["xx", false],
        ["x\nx", false, true],
      ],
    },
    { kwargs: { keyword: "x", frequency: 0, relation: "at least" }, verdicts: [["y", true]] },
  ],
  "keywords:forbidden_words": [
    {
      kwargs: { forbidden_words: ["art"] },
      verdicts: [
        ["party", true],
        ["ART!", false],
        ["éart", true],
        ["art_1", true],
        ["art\nis", false, true],
        ["न\u0940art", false],
      ],
    },
  ],
  "keywords:letter_frequency": [
    {
      kwargs: { letter: "A", let_frequency: 3, let_relation: "at least" },
      verdicts: [
        ["aAa", true],
        ["aA", false],
        ["àaa", false],
      ],
    },
    {
      kwargs: { letter: "a", let_frequency: 3, let_relation: "less than" },
      verdicts: [
        ["aa", true],
        ["aaa", false],
        ["aa\nb a", false, true],
      ],
    },
    { kwargs: { letter: "\u212a", let_frequency: 1, let_relation: "at least" }, verdicts: [["k", true]] },
  ],
  "language:response_language": [
    {
      kwargs: { language: "de" },
      verdicts: [
        ["Das ist ein ganz gewöhnlicher deutscher Satz über das Wetter von gestern.", true],
        ["This is an ordinary English sentence about the weather of yesterday.", false],
        ["12345 !?", true],
        [
          "Of course, here is the sentence about the weather that you asked me to write for you:\nDas ist ein Satz.",
          false,
          true,
        ],
      ],
    },
    { kwargs: { language: "hi" }, verdicts: [["यह हिन्दी में लिखा हुआ एक सामान्य वाक्य है।", true]] },
    { kwargs: { language: "zh" }, verdicts: [["这是一个关于昨天天气的普通中文句子。", false]] },
  ],
  "length_constraints:number_sentences": [
    {
      kwargs: { num_sentences: 2, relation: "at least" },
      verdicts: [
        ["Dr. Smith went to Washington.", false],
        ["I paid $3.50. Then I left.", true],
        ["Wait... what?! No.", true],
        ["No break.here", false],
      ],
    },
    {
      kwargs: { num_sentences: 2, relation: "less than" },
      verdicts: [
        ["One. \n\n", true],
        ["One. Two.", false],
        ["One.\nTwo.", false, true],
      ],
    },
  ],
  "length_constraints:number_paragraphs": [
    {
      kwargs: { num_paragraphs: 2 },
      verdicts: [
        ["a\n***\nb", true],
        ["a***b", true],
        ["***\na\n***\nb\n***", true],
        ["a\n***\n \n***\nb", false],
        ["a\n***\nb\n***\nc", false, true],
        ["a\n\nb", false],
        ["a\n****\nb", true],
        ["a******b", false],
        ["Here:\n***\na\n***\nb", false, true],
      ],
    },
    {
      kwargs: { num_paragraphs: 1 },
      verdicts: [
        ["a\n\nb", true],
        ["***", false],
      ],
    },
  ],
  "length_constraints:number_words": [
    {
      kwargs: { num_words: 3, relation: "at least" },
      verdicts: [
        ["one two", false],
        ["one-two_2 três", true],
        ["don't go", true],
        ["½ ² Ⅷ", true],
        ["नीति नीति", true],
        ["नी ति", false],
        ["日本語", false],
      ],
    },
    {
      kwargs: { num_words: 3, relation: "less than" },
      verdicts: [
        ["one two", true],
        ["one two three", false],
        ["one\ntwo three", false, true],
      ],
    },
  ],
  "length_constraints:nth_paragraph_first_word": [
    {
      kwargs: { num_paragraphs: 2, nth_paragraph: 2, first_word: "Weekend" },
      verdicts: [
        ["a\n\nweekend plans", true],
        ["a\n\n'\"Weekend, then", true],
        ["a\n\n\"'Weekend", false],
        ["a\n\n**Weekend** plans", false, true],
        ["a\n \nweekend", false],
        ["a\r\n\r\nweekend", false],
        ["a\n\nweekend\n\nb", false, true],
        ["a\n\n\n\nweekend", false],
        ["a\n\nweek.end", false],
        ["a\n\nweekends", false],
      ],
    },
    {
      kwargs: { num_paragraphs: 1, nth_paragraph: 1, first_word: "a" },
      verdicts: [
        ["a", true],
        ["\n\na", false, true],
      ],
    },
    { kwargs: { num_paragraphs: 1, nth_paragraph: 1, first_word: "ΑΣ" }, verdicts: [["ΑΣ", false]] },
  ],
  "detectable_content:number_placeholders": [
    {
      kwargs: { num_placeholders: 2 },
      verdicts: [
        ["[a] [b]", true],
        ["[a [b] c]", false],
        ["[] []", true],
        ["[a\nb] [c]", false],
        ["[a\rb] [c]", true],
      ],
    },
  ],
  "detectable_content:postscript": [
    {
      kwargs: { postscript_marker: "P.S." },
      verdicts: [
        ["Bye. p. s. Write soon", true],
        ["P.S Write soon", false],
        ["P*.S.", false, true],
        ["P.\nS.", true],
      ],
    },
    {
      kwargs: { postscript_marker: "P.P.S" },
      verdicts: [
        ["p. p. s", true],
        ["P.S.", false],
      ],
    },
    {
      kwargs: { postscript_marker: "N.B" },
      verdicts: [
        ["nxb", true],
        ["nb", false],
      ],
    },
  ],
  "detectable_format:number_bullet_lists": [
    {
      kwargs: { num_bullets: 2 },
      verdicts: [
        ["* a\n* b", true],
        ["- a\n  * b", true],
        ["* a\n** b", false],
        ["* a\n- b\n- c", false, true],
        ["\n\n- a\n---", true],
        ["text * a\n* b", false],
        ["*\na\n- b", true],
        ["- a\r- b", false],
        ["- a\r\n- b", true],
        ["*", false],
      ],
    },
  ],
  "detectable_format:constrained_response": [
    {
      verdicts: [
        ["  I say: My answer is maybe. ", true],
        ["my answer is maybe.", false],
        ["My answer is maybe", false],
        ["**My answer is** no.", false, true],
      ],
    },
  ],
  "detectable_format:number_highlighted_sections": [
    {
      kwargs: { num_highlights: 1 },
      verdicts: [
        ["*a*", true],
        ["* *", false],
        ["*a\nb*", false],
        ["**a**", true],
      ],
    },
    {
      kwargs: { num_highlights: 2 },
      verdicts: [
        ["**a**", false],
        ["***a***", true],
        ["*a**b*", true],
        ["*a* *b*", true],
        ["** ** *a*", false],
      ],
    },
  ],
  "detectable_format:multiple_sections": [
    {
      kwargs: { section_spliter: " Section ", num_sections: 2 },
      verdicts: [
        ["Section 1\na\nSection 2\nb", true],
        ["Section1 Section2", true],
        ["section 1 section 2", false],
        ["Section 1 Section two", false],
        ["Section ٣ Section ٤", true],
        ["**Section** 1 **Section** 2", false, true],
      ],
    },
  ],
  "detectable_format:json_format": [
    {
      verdicts: [
        ['{"a": [1, 2.5e3, null]}', true],
        [`${FENCE}json\n{"a": 1}\n${FENCE}`, true],
        [`${FENCE}JSON\n[]${FENCE}`, true],
        [`${FENCE}json${FENCE}json\n{}\n${FENCE}`, false, true],
        ["NaN", true],
        ["[-Infinity, Infinity]", true],
        ['{"a": -NaN}', false],
        ["{'a': 1}", false],
        ['{"a": 1,}', false],
        ['{"a": 1, "a": 2}', true],
        ['"\\ud800"', true],
        ['"a\nb"', false],
        ["\ufeff{}", false],
        ["\u00a0{}\u3000", true],
        ["Sure:\n{}", false, true],
      ],
    },
  ],
  "detectable_format:title": [
    {
      verdicts: [
        ["<<a>>", true],
        ["<< >>", false],
        ["<<a\nb>>", false],
        ["<<>>", false],
        ["<a>", false],
        ["<<<>>>", false],
        ["<<a>> b <<c>>", true],
        ["<<\rb>>", true],
      ],
    },
  ],
  "combination:two_responses": [
    {
      verdicts: [
        ["a\n******\nb", true],
        ["a ****** a ", false],
        ["a******b******", true],
        ["a****** ******b", false],
        ["a******b******c", false],
        ["a*****b", false],
        ["a******", false],
      ],
    },
  ],
  "combination:repeat_prompt": [
    {
      kwargs: { prompt_to_repeat: " Write THIS. " },
      verdicts: [
        ["\n write this. Done.", true],
        ["write this", false],
        ["Request: Write this.", false],
        ["Request:\nWrite this.", false, true],
        ["**Write this.**", false, true],
      ],
    },
  ],
  "startend:end_checker": [
    {
      kwargs: { end_phrase: " The End. " },
      verdicts: [
        ['So "it was the end."""\n', true],
        ["the end", false],
        ["the end. Bye", false],
        ["the end.\nBye", false, true],
        ['the end. "', false],
        ["**the end.**", false, true],
      ],
    },
  ],
  "startend:quotation": [
    {
      verdicts: [
        [' "a" ', true],
        ['"', false],
        ['""', true],
        ["“a”", false],
        ['*"a"*', false, true],
        ['"a" b', false],
      ],
    },
  ],
  "change_case:capital_word_frequency": [
    {
      kwargs: { capital_frequency: 2, capital_relation: "at least" },
      verdicts: [
        ["DON'T", true],
        ["A I", true],
        ["U.S. only", false],
        ["CO2 it's", false],
        ["IT'S", true],
        ["ABC-DEF", false],
        ["Ǆ ǅ", false],
      ],
    },
    {
      kwargs: { capital_frequency: 1, capital_relation: "less than" },
      verdicts: [
        ["none at all", true],
        ["ONE", false],
      ],
    },
  ],
  "change_case:english_capital": [
    {
      verdicts: [
        ["THIS IS AN ORDINARY ENGLISH SENTENCE ABOUT THE WEATHER OF YESTERDAY.", true],
        ["THIS IS AN ORDINARY ENGLISH SENTENCE ABOUT THE WEATHER oF YESTERDAY.", false],
        ["DAS IST EIN GANZ GEWÖHNLICHER DEUTSCHER SATZ ÜBER DAS WETTER.", false],
        ["12345", false],
        ["Note:\nTHIS IS AN ORDINARY ENGLISH SENTENCE ABOUT THE WEATHER.", false, true],
      ],
    },
  ],
  "change_case:english_lowercase": [
    {
      verdicts: [
        ["this is an ordinary english sentence about the weather of yesterday.", true],
        ["This is an ordinary english sentence about the weather of yesterday.", false],
        ["das ist ein ganz gewöhnlicher satz über das wetter von gestern abend.", false],
        ["!!!", false],
        ["ⓐ", true],
      ],
    },
  ],
  "punctuation:no_comma": [
    {
      verdicts: [
        ["a，b、c؛", true],
        ["a,b", false],
        ["a,\nb", false, true],
      ],
    },
  ],
};

it("has cases for every instruction", () => {
  expect(Object.keys(GROUPS).sort()).toEqual([...INSTRUCTION_IDS].sort());
});

describe.each(Object.entries(GROUPS))("%s", (id, groups) => {
  for (const { kwargs = {}, verdicts } of groups) {
    it.each(verdicts)(`${JSON.stringify(kwargs)}: %j is %j`, (response, strict, loose = strict) => {
      const found = checkInstructions({ instructionIdList: [id], kwargs: [kwargs], response });
      expect([found.strict, found.loose]).toEqual([[strict], [loose]]);
    });
  }

  it.each(["", " ", "\n\n", "\u00a0\u2003\u0085\u001c", "\r\n"])(
    "is not followed by the blank response %j",
    (response) => {
      const { kwargs = {} } = groups[0]!;
      expect(checkInstructions({ instructionIdList: [id], kwargs: [kwargs], response })).toEqual({
        strict: [false],
        loose: [false],
        unstable: [],
      });
    },
  );
});
