/**
 * Sends what the model says to a scorer behind HTTP and records its judgement.
 *
 *     [evaluation]
 *     type = "remote_scorer"
 *     url = "http://127.0.0.1:9000/score"
 *     timeout = 120            # seconds for the whole evaluation
 *     request_timeout = 30     # seconds for one request
 *
 *     elenchus run CONFIG.toml --import examples/remote-scorer.ts
 */
import {
  type Dataset,
  type EvaluationInput,
  EvaluationResult,
  EvaluationSkipped,
  Evaluator,
  type EvaluatorConfig,
  registry,
} from "elenchus/evaluators";
import { z } from "zod";

const options = z.object({
  url: z.url(),
  rows: z.int().positive().default(64),
  request_timeout: z.number().positive().default(30),
});

/** What the scorer answers; anything else is a failure of this evaluator, with the reason in the record. */
const reply = z.object({ score: z.number(), judged: z.int().nonnegative() });

export class RemoteScorer extends Evaluator<EvaluatorConfig & z.output<typeof options>> {
  static options = options;
  static metrics = { remote_score: { higherIsBetter: true, unit: "fraction" } };
  static description = "The judgement of a scorer behind HTTP";

  async evaluate({ trainer, testset, round, signal }: EvaluationInput): Promise<EvaluationResult> {
    const { url, rows, request_timeout } = this.config;
    const data = testset as Dataset | undefined;
    if (!trainer?.predict || !data) throw new EvaluationSkipped("there is nothing to predict on");

    const indices = Int32Array.from({ length: Math.min(rows, data.length) }, (_, row) => row);
    const { outputs, width } = await trainer.predict(data, indices, signal);
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        round,
        width,
        outputs: [...outputs],
        labels: [...indices].map((row) => data.labels[row]),
      }),
      // Ends with the evaluation's own timeout, with the run, or when this one request takes too long.
      signal: AbortSignal.any([signal, AbortSignal.timeout(request_timeout * 1000)]),
    });
    if (!response.ok) throw new Error(`The scorer at ${url} answered ${response.status}.`);
    const { score, judged } = reply.parse(await response.json());

    return new EvaluationResult({
      evaluator: "remote_scorer",
      primaryMetric: "remote_score",
      metrics: { remote_score: score },
      higherIsBetter: { remote_score: true },
      metadata: { url, asked: indices.length },
      sampled: { used: judged, total: indices.length },
    });
  }
}

registry.register("remote_scorer", RemoteScorer);
