import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  BitsPerByteEvaluation,
  type Comparison,
  PerplexityComparisonEvaluation,
  PerplexityEvaluation,
  runEvaluation,
} from "../../src/evaluations/index.js";
import { theseusTargets } from "../../src/evaluations/theseus.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { keepNucleus } from "../../src/language/tokenSampler.js";
import { createByteTokenizer, type Tokenizer } from "../../src/tokenizers/index.js";

/* Vectors of Theseus (github.com/Jemoka/theseus), as its own formulas give them. */
const golden = JSON.parse(
  readFileSync(join(process.env.PARITY_DATA!, "core/golden/theseus_metrics.json"), "utf8"),
) as Golden;

interface Golden {
  perplexity: { nll: number[]; count: number[]; none: number[]; mean_and_sum: number };
  bits_per_byte: {
    nll: number[];
    count: number[];
    texts: string[];
    utf8_bytes: number[];
    none: number[];
    mean_and_sum: number;
  };
  upstream_unit_vector: {
    nll_over_ln2: number[];
    count: number[];
    bytes: number[];
    none: number[];
    aggregate: number;
  };
  comparison_masking_as_upstream: {
    ids: number[];
    prefix_len: number;
    padded_length: number;
    block_size: number;
    scored_position_target: [number, number][];
  }[];
  top_p: { logits: number[]; top_p: number; theseus_kept: number[]; usual_nucleus_kept: number[] }[];
}

/** Texts of one more token than is scored of each; the tokenizer spells them as ids of the text's own. */
const BASE = 1000;

function tokenizerOf(texts: readonly string[], counts: readonly number[]): Tokenizer {
  const bytes = createByteTokenizer();
  return {
    ...bytes,
    encode: (text) =>
      Array.from({ length: counts[texts.indexOf(text)]! + 1 }, () => BASE + texts.indexOf(text)),
  };
}

/** A model that spreads the nats of each text evenly over the tokens that are scored. */
function modelOf(
  nll: readonly number[],
  counts: readonly number[],
  tokenizer: Tokenizer,
): ScriptedLanguageModel {
  return new ScriptedLanguageModel({
    tokenizer,
    next: (tokens) => {
      const id = tokens.at(-1)!;
      const text = id - BASE;
      const share = Math.exp(-nll[text]! / counts[text]!);
      const logits = new Float64Array(BASE + nll.length).fill(Number.NEGATIVE_INFINITY);
      logits[id] = Math.log(share);
      logits[0] = Math.log(1 - share);
      return logits;
    },
  });
}

const inferenceOf = (nll: readonly number[], counts: readonly number[], texts: readonly string[]) => {
  const tokenizer = tokenizerOf(texts, counts);
  return { model: modelOf(nll, counts, tokenizer), tokenizer, blockSize: 64 };
};

const THESEUS = { compat: "theseus" } as const;

describe("perplexity as Theseus has it", () => {
  const { nll, count, none, mean_and_sum } = golden.perplexity;
  const texts = nll.map((_, place) => `text ${place}`);
  class Texts extends PerplexityEvaluation {
    readonly name = "texts_ppl";
    readonly length = texts.length;
    get(index: number) {
      return texts[index]!;
    }
  }

  test("is the ratio of totals, for the mean and for the sum, and a value per text", async () => {
    for (const reduce of ["mean", "sum", "none"] as const) {
      const inference = inferenceOf(nll, count, texts);
      const report = await runEvaluation(new Texts({}), inference, { ...THESEUS, reduce });
      expect(report.value).toBeCloseTo(mean_and_sum, 12);
      report.values.forEach((value, place) => void expect(value).toBeCloseTo(none[place]!, 12));
    }
  });

  test("is 1 of a text of one token", async () => {
    const report = await runEvaluation(new Texts({}), inferenceOf([1, 1, 1], [0, 0, 0], texts), THESEUS);
    expect(report.value).toBe(1);
  });
});

describe("bits per byte as Theseus has it", () => {
  class Texts extends BitsPerByteEvaluation {
    readonly name = "texts_bpb";
    constructor(readonly texts: readonly string[]) {
      super({});
    }
    get length() {
      return this.texts.length;
    }
    get(index: number) {
      return this.texts[index]!;
    }
  }

  test("is the ratio of totals, for the mean and for the sum, and a value per text", async () => {
    const { nll, count, texts, none, mean_and_sum } = golden.bits_per_byte;
    for (const reduce of ["mean", "sum", "none"] as const) {
      const inference = inferenceOf(nll, count, texts);
      const report = await runEvaluation(new Texts(texts), inference, { ...THESEUS, reduce });
      expect(report.value).toBeCloseTo(mean_and_sum, 12);
      report.values.forEach((value, place) => void expect(value).toBeCloseTo(none[place]!, 12));
      expect(report.sum.denominator).toBe(golden.bits_per_byte.utf8_bytes.reduce((sum, one) => sum + one, 0));
    }
  });

  test("gives the vector of its own unit test", async () => {
    const { nll_over_ln2, count, none, aggregate } = golden.upstream_unit_vector;
    const texts = ["abcd", "xy"];
    const nll = nll_over_ln2.map((bits) => bits * Math.LN2);
    const report = await runEvaluation(new Texts(texts), inferenceOf(nll, count, texts), THESEUS);
    expect(report.value).toBeCloseTo(aggregate, 12);
    report.values.forEach((value, place) => void expect(value).toBeCloseTo(none[place]!, 12));
  });
});

describe("comparison as Theseus has it", () => {
  test.each(golden.comparison_masking_as_upstream)(
    "scores what it scores of $ids behind $prefix_len",
    (vector) => {
      const ids = vector.ids.slice(0, vector.block_size);
      const targets = theseusTargets(ids, vector.prefix_len);
      const start = vector.padded_length - ids.length;
      const scored = (targets?.continuation ?? []).map((id, place) => [
        start + vector.prefix_len + place,
        id,
      ]);
      expect(scored).toEqual(vector.scored_position_target);
    },
  );

  test("lets a continuation win that was cut away, and one of equal losses if it is the first", async () => {
    class Choices extends PerplexityComparisonEvaluation {
      readonly name = "choices";
      readonly length = 1;
      get(): Comparison {
        return ["aaa", ["b", "c"], 0];
      }
    }
    const model = new ScriptedLanguageModel({ contextLength: 3, next: () => new Float64Array(259) });
    const inference = { model, tokenizer: model.tokenizer, blockSize: 3 };
    const report = await runEvaluation(new Choices({}), inference, THESEUS);
    expect(report.values).toEqual([1]);
    await expect(runEvaluation(new Choices({}), inference)).rejects.toThrow(/would be cut/);
  });
});

describe("top-p", () => {
  test.each(golden.top_p)("of $top_p keeps what Theseus keeps, or the usual nucleus", (vector) => {
    const kept = (crossing: "keep" | "drop") => {
      const total = vector.logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      const shares = Float64Array.from(vector.logits, (logit) => Math.exp(logit) / total);
      keepNucleus(shares, vector.top_p, crossing);
      return [...shares.keys()].filter((token) => shares[token]! > 0);
    };
    expect(kept("drop")).toEqual(vector.theseus_kept);
    expect(kept("keep")).toEqual(vector.usual_nucleus_kept);
  });
});
