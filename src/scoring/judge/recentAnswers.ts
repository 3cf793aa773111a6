import { createHash } from "node:crypto";
import type { JudgeAnswer } from "./judgeModel.js";

/** Answers by question, those under way included; the ones that were used longest ago make room. */
export class RecentAnswers {
  readonly #answers = new Map<string, Promise<JudgeAnswer>>();

  /** @param most so many are held */
  constructor(private readonly most = 10_000) {}

  /** The answer to a question; it is asked where there is none. One that failed is asked again next time. */
  of(question: unknown, ask: () => Promise<JudgeAnswer>): { found: boolean; answer: Promise<JudgeAnswer> } {
    const key = createHash("sha256").update(JSON.stringify(question)).digest("base64");
    const held = this.#answers.get(key);
    if (held !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, held);
      return { found: true, answer: held };
    }
    const answer = ask();
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.delete(key));
    if (this.#answers.size > this.most) this.#answers.delete(this.#answers.keys().next().value!);
    return { found: false, answer };
  }
}
