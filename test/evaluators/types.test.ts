import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  type ConfiguredEvaluation,
  type EvaluationInput,
  EvaluationResult,
  type EvaluationResultInit,
  Evaluator,
  type EvaluatorConfig,
  type EvaluatorLike,
  registry,
  runConfiguredEvaluation,
} from "../../src/evaluators/index.js";

class Plain extends Evaluator {
  evaluate(_request: EvaluationInput): EvaluationResult {
    return new EvaluationResult(fields);
  }
}

const fields = { evaluator: "e", primaryMetric: "a", metrics: { a: 1 } };

it("types: an evaluator is a class with evaluate, which gets the whole request", () => {
  class Seeing extends Plain {
    override evaluate(request: EvaluationInput): EvaluationResult {
      expectTypeOf(request.signal).toEqualTypeOf<AbortSignal>();
      expectTypeOf(request.context.state).toEqualTypeOf<Map<string, unknown>>();
      expectTypeOf(request.localMetric).toEqualTypeOf<number | undefined>();
      expectTypeOf(request.model).toBeUnknown();
      return new EvaluationResult(fields);
    }
  }
  expectTypeOf<ConstructorParameters<typeof Seeing>>().toEqualTypeOf<[config: EvaluatorConfig]>();
  expectTypeOf(Seeing).toExtend<Parameters<typeof registry.register>[1]>();
});

it("types: the configuration can be narrowed to the options schema, and statics are checked", () => {
  const options = z.object({ depth: z.number() });
  class Narrow extends Evaluator<EvaluatorConfig & z.output<typeof options>> {
    static options = options;
    static metrics = { a: { higherIsBetter: true, unit: "fraction" } };
    async evaluate() {
      expectTypeOf(this.config.depth).toBeNumber();
      expectTypeOf(this.config.other).toBeUnknown();
      return { ...fields, details: new Map([["b", 1]]) };
    }
  }
  expectTypeOf(Narrow).toExtend<Parameters<typeof registry.register>[1]>();

  type Factory = Parameters<typeof registry.register>[1];
  type WrongDirection = typeof Plain & { metrics: { a: { higherIsBetter: string } } };
  expectTypeOf<WrongDirection>().not.toExtend<Factory>();
});

it("types: a factory may be a function, sync or not, and its config is a table", () => {
  type Factory = Parameters<typeof registry.register>[1];
  const evaluator: EvaluatorLike = { evaluate: () => fields };
  expectTypeOf<(config: EvaluatorConfig) => EvaluatorLike>().toExtend<Factory>();
  expectTypeOf<() => Promise<EvaluatorLike>>().toExtend<Factory>();
  expectTypeOf<() => number>().not.toExtend<Factory>();
  expectTypeOf(evaluator).toExtend<EvaluatorLike>();
  expectTypeOf(registry.get).returns.toEqualTypeOf<EvaluatorLike | Promise<EvaluatorLike> | undefined>();
});

it("types: results name their fields, and a result is itself a valid init", () => {
  expectTypeOf<EvaluationResult>().toExtend<EvaluationResultInit>();
  expectTypeOf<{ evaluator: string; metrics: { a: number } }>().not.toExtend<EvaluationResultInit>();
  expectTypeOf(new EvaluationResult(fields).toPayload()).toHaveProperty("primary_value").toBeNumber();
  type Text = { evaluator: string; primaryMetric: string; metrics: { a: string } };
  expectTypeOf<Text>().not.toExtend<EvaluationResultInit>();
});

it("types: runConfiguredEvaluation needs only a configuration and promises a result or nothing", () => {
  expectTypeOf(runConfiguredEvaluation).returns.resolves.toEqualTypeOf<EvaluationResult | undefined>();
  expectTypeOf<{ config: unknown }>().toExtend<ConfiguredEvaluation>();
  expectTypeOf<object>().not.toExtend<ConfiguredEvaluation>();
});
