import { ElenchusError } from "../base/index.js";
import type { TokenLogits } from "../language/index.js";
import type { MeasureRequest } from "./evaluation.js";
import { JudgedEvaluation } from "./judgedEvaluation.js";
import { failedRow, type RowMeasure } from "./rowMeasure.js";

/**
 * The model reads texts once, and what it holds for the most likely next token at every place is judged: the
 * prediction for the second token, then for the third, up to the last.
 */
export abstract class EncodingEvaluation<
  YHat = string,
  Options = Record<string, unknown>,
> extends JudgedEvaluation<string, YHat, Options> {
  /** A text, which `check` and `score` get again. */
  abstract override get(index: number): string | Promise<string>;

  override async measure(rows: readonly number[], request: MeasureRequest): Promise<RowMeasure[]> {
    const { inference, settings, signal, samples } = request;
    const { model, tokenizer, blockSize } = inference;
    const specialTokens = settings.compat === "theseus" ? "parse" : "text";
    const read = await Promise.all(
      rows.map(async (row) => {
        try {
          const y = await this.get(row);
          const ids = tokenizer.encode(y, { specialTokens });
          if (ids.length === 0) throw new ElenchusError("DATA_INVALID", "The text has no tokens.");
          return { row, y, ids: ids.slice(0, blockSize), truncated: ids.length > blockSize };
        } catch (cause) {
          return failedRow(row, cause);
        }
      }),
    );
    const good = read.filter((one) => "ids" in one);
    const logits = await model.forward(
      good.map(({ ids }) => ids),
      { signal },
    );
    const judged = await this.judge(
      good.map((one, place) => ({
        ...one,
        text: tokenizer.decode(predictions(logits[place]!)),
        asked: samples ? { kind: "encode", prompts: [one.y] } : undefined,
      })),
    );
    let next = 0;
    return read.map((one) => ("ids" in one ? judged[next++]! : one));
  }
}

/** The most likely token after each place but the last; of equals the one with the smallest id. */
function predictions({ data, length, vocabularySize }: TokenLogits): number[] {
  return Array.from({ length: length - 1 }, (_, place) => {
    const start = place * vocabularySize;
    let best = 0;
    for (let token = 1; token < vocabularySize; token++) {
      if (data[start + token]! > data[start + best]!) best = token;
    }
    return best;
  });
}
