import { ElenchusError } from "../base/index.js";
import { type GenerationRequest, type Prompt, promptTokens } from "../language/index.js";
import type { MeasureRequest } from "./evaluation.js";
import type { Inference } from "./inference.js";
import { type Judged, JudgedEvaluation } from "./judgedEvaluation.js";
import { failedRow, type RowMeasure } from "./rowMeasure.js";

/** The model goes on from prompts, and its answers are judged. */
export abstract class RolloutEvaluation<
  Y = string,
  YHat = string,
  Options = Record<string, unknown>,
> extends JudgedEvaluation<Y, YHat, Options> {
  /** Prompt and what is expected. Turns of a chat are rendered by the tokenizer's template. */
  abstract override get(index: number): readonly [Prompt, Y] | Promise<readonly [Prompt, Y]>;

  /** The most tokens of an answer. Default: as many as fit behind the prompt. */
  maxNewTokens(_inference: Inference): number | undefined {
    return undefined;
  }

  override async measure(rows: readonly number[], request: MeasureRequest): Promise<RowMeasure[]> {
    const { settings, inference, signal } = request;
    const limit = this.#limit(inference);
    const prepared = await Promise.all(rows.map((row) => this.#prepare(row, limit, request)));
    const ready = prepared.flatMap((one) => ("error" in one ? [] : repeat(one, settings.samples_per_prompt)));
    const theseus = settings.compat === "theseus";
    const answers = await inference.model.generate(
      ready.map(({ prompt, row, room }, place) => ({
        prompt,
        maxNewTokens: room,
        seed: `${request.seed}/${row}/${place % settings.samples_per_prompt}`,
      })),
      {
        maxLength: inference.blockSize,
        temperature: settings.temperature,
        topK: settings.top_k,
        topP: settings.top_p,
        topPCrossing: theseus ? "drop" : "keep",
        stop: settings.stop,
        keepSpecialTokens: theseus,
        signal,
      },
    );
    const asked = request.samples ? (one: Prepared<Y>) => askedOf(one, inference) : () => undefined;
    const judged = await this.judge(
      ready.map((one, place) => ({ ...one, text: answers[place]!.text, asked: asked(one) })),
    );
    let next = 0;
    return prepared.flatMap((one) => {
      if ("error" in one) return repeat(one, settings.samples_per_prompt);
      next += settings.samples_per_prompt;
      return judged.slice(next - settings.samples_per_prompt, next);
    });
  }

  #limit(inference: Inference): number | undefined {
    const limit = this.maxNewTokens(inference);
    if (limit === undefined) return undefined;
    if (Number.isInteger(limit) && limit >= 1 && limit < inference.blockSize) return limit;
    throw new ElenchusError(
      "CONFIG_VALUE",
      `maxNewTokens of "${this.name}" is ${limit}: expected 1 to ${inference.blockSize - 1}, so that block_size = ${inference.blockSize} has room for a prompt too.`,
    );
  }

  async #prepare(
    row: number,
    limit: number | undefined,
    { inference: { tokenizer, blockSize }, settings }: MeasureRequest,
  ): Promise<Prepared<Y> | RowMeasure> {
    try {
      const [prompt, y] = await this.get(row);
      const tokens = promptTokens(tokenizer, prompt, {});
      const room = limit ?? blockSize - tokens.length;
      if (room < 1) {
        throw new ElenchusError(
          "DATA_INVALID",
          `The prompt has ${tokens.length} tokens, and block_size = ${blockSize} leaves no room for an answer. Shorten it, or say with maxNewTokens how much room to keep.`,
        );
      }
      const most = blockSize - room;
      const truncated = tokens.length > most;
      const kept = settings.compat === "theseus" ? tokens.slice(0, most) : tokens.slice(-most);
      return { row, y, prompt: truncated ? kept : prompt, room, truncated, text: "" };
    } catch (cause) {
      return failedRow(row, cause);
    }
  }
}

interface Prepared<Y> extends Judged<Y> {
  readonly prompt: NonNullable<GenerationRequest["prompt"]>;
  readonly room: number;
}

/** A prompt that was cut is told as the text of what is left of it. */
function askedOf({ prompt, room }: Prepared<unknown>, { tokenizer }: Inference): object {
  const shown = isTokens(prompt) ? tokenizer.decode(prompt) : prompt;
  return { kind: "generate", prompts: [shown], max_new_tokens: room };
}

function isTokens(prompt: GenerationRequest["prompt"]): prompt is readonly number[] {
  return Array.isArray(prompt) && typeof prompt[0] === "number";
}

function repeat<T>(one: T, times: number): T[] {
  return Array.from({ length: times }, () => one);
}
