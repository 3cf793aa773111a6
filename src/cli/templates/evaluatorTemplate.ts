import type { TemplateFile } from "./templateFile.js";

/** A working evaluator, its test and its page. */
export function evaluatorTemplate(name: string): TemplateFile[] {
  const className = `${pascalCase(name)}Evaluator`;
  return [
    {
      path: `evaluators/${name}.ts`,
      content: `import { type EvaluationInput, EvaluationResult, Evaluator, registry } from "elenchus";

/** Counts the examples of the test set and how far the scalar is from perfect. Put your own questions here. */
export class ${className} extends Evaluator {
  static readonly metrics = {
    error: { higherIsBetter: false, unit: "fraction" },
    examples: { higherIsBetter: true, unit: "examples" },
  };

  override evaluate(request: EvaluationInput): EvaluationResult {
    const testset = request.testset as { length: number } | undefined;
    return new EvaluationResult({
      evaluator: "${name}",
      primaryMetric: "error",
      metrics: { error: 1 - (request.localMetric ?? 0), examples: testset?.length ?? 0 },
      higherIsBetter: { error: false, examples: true },
    });
  }
}

registry.register("${name}", ${className});
`,
    },
    {
      path: `evaluators/${name}.test.ts`,
      content: `import assert from "node:assert/strict";
import { test } from "node:test";
import { runConfiguredEvaluation, TrainingContext } from "elenchus";
import "./${name}.js";

test("${name} reports the error and the size of the test set", async () => {
  const context = new TrainingContext({ currentRound: 1 });
  const result = await runConfiguredEvaluation({
    model: undefined,
    context,
    config: { evaluation: { type: "${name}", fail_on_error: true } },
    testset: { length: 360 },
    localMetric: 0.75,
  });
  assert.equal(result?.metrics.error, 0.25);
  assert.equal(result?.metrics.examples, 360);
});
`,
    },
    {
      path: `evaluators/${name}.md`,
      content: `# ${name}

Use it in a run:

    [evaluation]
    type = "${name}"

    elenchus run CONFIG.toml --import evaluators/${name}.ts

Its columns: \`evaluation_primary_value\`, \`evaluation_status\`, \`evaluation_error\` (fraction, lower is better),
\`evaluation_examples\`.

Test it: \`node --import tsx --test evaluators/${name}.test.ts\`

The guide to evaluators, \`docs/evaluators.md\` in the package, opens with the five rules of a good one:

1. Keep the constructor light: read the configuration there, do the work in \`evaluate\`.
2. Coordinate through \`context.state\`; do not change the trainer.
3. Small numbers go in \`metrics\`.
4. Heavy things go in \`metadata\` and \`artifacts\`.
5. Keep \`primaryMetric\` the same from round to round.
`,
    },
  ];
}

function pascalCase(name: string): string {
  return name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
