import { evaluation, RolloutEvaluation } from "elenchus";

const ROWS = Array.from({ length: 20 }, (_, row) => [row, (7 * row + 3) % 20] as const);

/** Can the model add? elenchus run CONFIG.toml --import examples/evaluation.ts, with evaluations = ["sums"]. */
export class Sums extends RolloutEvaluation<number, number> {
  readonly name = "sums";
  readonly length = ROWS.length;

  get(index: number) {
    const [a, b] = ROWS[index]!;
    return [`${a} + ${b} =`, a + b] as const;
  }

  override maxNewTokens() {
    return 8;
  }

  override clean(text: string) {
    return Number(/-?\d+/.exec(text)?.[0]);
  }

  override check(sum: number, answer: number) {
    return answer === sum;
  }
}

evaluation("sums", Sums);
