import { ElenchusError } from "../../base/index.js";
import type { ScoringSurroundings } from "../scorer.js";
import type { AskJudge, JudgeAnswer, JudgeMessage, JudgeModel, JudgeOptions } from "./judgeModel.js";
import { RecentAnswers } from "./recentAnswers.js";

/** Sums over all questions of one scoring. */
export interface JudgeTotals {
  /** Answers that the model gave now. */
  calls: number;
  /** Questions whose answer was there already. */
  kept: number;
  /** Calls without an answer. */
  failed: number;
  input_tokens: number;
  output_tokens: number;
}

/** A model that judges during one scoring: opened once, asked once for each different question. */
export class JudgeSession {
  readonly totals: JudgeTotals = { calls: 0, kept: 0, failed: 0, input_tokens: 0, output_tokens: 0 };
  readonly #answers = new RecentAnswers();
  #model: JudgeModel | undefined;

  /** @throws CONFIG_INVALID for a reference where nothing opens references */
  constructor(
    private readonly reference: unknown,
    private readonly surroundings: ScoringSurroundings,
  ) {
    if (typeof reference !== "function" && surroundings.judges === undefined) {
      throw new ElenchusError(
        "CONFIG_INVALID",
        "judge_model is a reference, and nothing was given that opens references. Give a function that asks the model, or `judges` in the surroundings of the scoring.",
      );
    }
  }

  /** Opens the model. @throws why it cannot be opened */
  async open(signal: AbortSignal | undefined): Promise<void> {
    const { reference } = this;
    this.#model =
      typeof reference === "function"
        ? { name: "judge", ask: reference as AskJudge }
        : await this.surroundings.judges!.open(reference, signal);
  }

  get model(): JudgeModel {
    if (this.#model === undefined) throw new Error("the judge has not been opened");
    return this.#model;
  }

  /** The answer to a question; an equal one is not asked twice. @throws why there is no answer */
  async ask(
    messages: readonly JudgeMessage[],
    options: JudgeOptions,
    signal: AbortSignal | undefined,
  ): Promise<JudgeAnswer> {
    const { found, answer } = this.#answers.of([messages, options], () =>
      this.#asked(messages, options, signal),
    );
    if (found) this.totals.kept++;
    return await answer;
  }

  async #asked(
    messages: readonly JudgeMessage[],
    options: JudgeOptions,
    signal: AbortSignal | undefined,
  ): Promise<JudgeAnswer> {
    try {
      const answer = await this.model.ask(messages, options, signal);
      if (answer.kept) {
        this.totals.kept++;
        return answer;
      }
      this.totals.calls++;
      this.totals.input_tokens += answer.inputTokens ?? 0;
      this.totals.output_tokens += answer.outputTokens ?? 0;
      return answer;
    } catch (error) {
      if (!signal?.aborted) this.totals.failed++;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#model?.release?.();
    this.#model = undefined;
  }
}
