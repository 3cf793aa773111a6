import { expectTypeOf, test } from "vitest";
import {
  type Evaluation,
  type EvaluationClass,
  evaluation,
  RolloutEvaluation,
} from "../../src/evaluations/index.js";

interface Options {
  readonly rows: number;
}

class Typed extends RolloutEvaluation<number, number, Options> {
  readonly name = "typed";
  get length() {
    return this.options.rows;
  }
  get(index: number) {
    return [`${index} + 1 =`, index + 1] as const;
  }
  override clean(text: string) {
    return Number(text);
  }
  override check(y: number, yHat: number) {
    return y === yHat;
  }
}

test("classes with options of any type can be registered, and keep their type", () => {
  expectTypeOf<typeof Typed>().toExtend<EvaluationClass>();
  expectTypeOf<Typed>().toExtend<Evaluation<unknown>>();
  expectTypeOf(evaluation<typeof Typed>).returns.toEqualTypeOf<typeof Typed>();
  expectTypeOf<Typed["options"]>().toEqualTypeOf<Options>();
});
