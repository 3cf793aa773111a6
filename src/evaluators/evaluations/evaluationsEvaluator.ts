import type { z } from "zod";
import { ElenchusError } from "../../base/index.js";
import type {
  Evaluation,
  EvaluationReport,
  Inference,
  MeasuredBatch,
  Shard,
} from "../../evaluations/index.js";
import { inferenceOf } from "../../evaluations/inference.js";
import { loadedRows, measureRows } from "../../evaluations/runEvaluation.js";
import { mergeShards } from "../../evaluations/shards.js";
import { tally } from "../../evaluations/tally.js";
import type { EvaluationInput } from "../evaluationInput.js";
import { EvaluationResult } from "../evaluationResult.js";
import {
  Evaluator,
  type EvaluatorConfig,
  type EvaluatorPreparation,
  type ShardEvaluator,
} from "../evaluator.js";
import { requestedLanguageModel } from "../requestedLanguageModel.js";
import { chosenEvaluations } from "./chosenEvaluations.js";
import { declaredEvaluations, EVALUATIONS } from "./declaredEvaluations.js";
import { logRows } from "./logRows.js";
import { tableOptions } from "./tableOptions.js";

type Config = Readonly<
  z.output<typeof tableOptions> & { name?: string; limit?: number; log_samples?: boolean }
>;

/** Failed rows whose cause is recorded, of each evaluation. */
const FAILURES_KEPT = 20;

/** Runs the five kinds of evaluation, each a metric by its name. */
export class EvaluationsEvaluator extends Evaluator<Config> implements ShardEvaluator {
  static description = "Evaluations of language models that you write: rollouts, perplexities, comparisons";
  static options = tableOptions;

  static async prepare(config: EvaluatorConfig, preparation: EvaluatorPreparation): Promise<void> {
    const { prepareEvaluations } = await import("./prepareEvaluations.js");
    await prepareEvaluations(config, preparation);
  }

  readonly #options = tableOptions.parse(this.config);

  evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    const { workers } = this.#options;
    return this.#withModel(request, async (prepared) => {
      const [own, others] = await together(request.signal, [
        (signal) => this.#measure({ ...request, signal }, { index: 0, of: workers }, prepared),
        (signal) => this.#elsewhere({ ...request, signal }, workers),
      ]);
      const shards = [own, ...others] as MeasuredBatch[][][];
      const reports: (EvaluationReport & Sizes)[] = [];
      for (const [place, evaluation] of prepared.evaluations.entries()) {
        const measures = mergeShards(shards.map((shard) => shard[place]!));
        await logRows(request.samples, evaluation.name, measures);
        reports.push({
          ...tally(evaluation, measures, this.#options),
          ...sizes(evaluation, measures.length),
        });
      }
      return this.#result(reports);
    });
  }

  /** Measures of one shard's rows, by evaluation. */
  evaluateShard(request: EvaluationInput, shard: Shard): Promise<MeasuredBatch[][]> {
    return this.#withModel(request, (prepared) => this.#measure(request, shard, prepared));
  }

  async #withModel<T>(request: EvaluationInput, work: (prepared: Prepared) => Promise<T>): Promise<T> {
    const chosen = chosenEvaluations(this.#options, declaredEvaluations(request.trainer));
    const evaluations = chosen.map(({ evaluation }) => evaluation);
    const { model, tokenizer, release } = await requestedLanguageModel(request);
    try {
      const inference = inferenceOf(model, { tokenizer, blockSize: this.#options.block_size });
      return await work({ evaluations, inference });
    } finally {
      await release();
    }
  }

  async #measure(
    { seed, signal, progress }: EvaluationInput,
    shard: Shard,
    { evaluations, inference }: Prepared,
  ): Promise<MeasuredBatch[][]> {
    const settings = this.#options;
    const limit = this.config.limit ?? -1;
    const rows: number[][] = [];
    for (const evaluation of evaluations) rows.push(await loadedRows(evaluation, { inference, limit, seed }));
    const total = rows.reduce((sum, { length }) => sum + length, 0);
    let own = 0;
    // The others, which are dealt as many, are taken to be as far.
    const onRows = (count: number) => {
      own += count;
      progress?.(Math.min(total, own * shard.of), total);
    };
    const measured: MeasuredBatch[][] = [];
    for (const [place, evaluation] of evaluations.entries()) {
      const request = { inference, settings, seed, signal, shard, samples: this.config.log_samples === true };
      measured.push(await measureRows(evaluation, rows[place]!, request, onRows));
    }
    return measured;
  }

  /** What the other shards measured, each in a process of its own. */
  async #elsewhere({ trainer, signal, answersFolder }: EvaluationInput, of: number): Promise<unknown[]> {
    if (of === 1) return [];
    if (typeof trainer?.inOtherProcesses !== "function") {
      throw new ElenchusError(
        "CAPABILITY_MISSING",
        `workers = ${of}: the trainer cannot start other processes, as those of a run can. Set workers = 1.`,
      );
    }
    return trainer.inOtherProcesses({ name: this.config.name ?? EVALUATIONS, of, signal, answersFolder });
  }

  #result(reports: readonly (EvaluationReport & Sizes)[]): EvaluationResult {
    const { reduce } = this.#options;
    const named = <T>(value: (report: EvaluationReport & Sizes) => T) =>
      new Map(reports.map((report) => [report.name, value(report)]));
    return new EvaluationResult({
      evaluator: EVALUATIONS,
      primaryMetric: reports[0]!.name,
      metrics: named(({ value }) => value),
      higherIsBetter: named(({ higherIsBetter }) => higherIsBetter),
      standardErrors: known(named(({ standardError }) => standardError)),
      metadata: named(({ unit, rows, measured, truncated, failures }) => ({
        ...{ unit, rows, measured, truncated, failed: failures.length },
        failures: failures.slice(0, FAILURES_KEPT),
      })),
      artifacts:
        reduce === "none" ? new Map([["values", Object.fromEntries(named(({ values }) => values))]]) : {},
      details: new Map(
        reports
          .filter(({ truncates }) => truncates)
          .map(({ name, truncated }) => [`${name}_truncated`, truncated]),
      ),
      // Sums of rows are no ratio of totals that clients could add up.
      sums: reduce === "sum" ? {} : named(({ sum }) => sum),
      sampled: {
        used: reports.reduce((sum, { measured }) => sum + measured, 0),
        total: reports.reduce((sum, { rows }) => sum + rows, 0),
      },
    });
  }
}

/** Those that there are; an error that is no number is none. */
function known(errors: ReadonlyMap<string, number | undefined>): Map<string, number> {
  return new Map(
    [...errors].filter((one): one is [string, number] => one[1] !== undefined && Number.isFinite(one[1])),
  );
}

interface Prepared {
  readonly evaluations: readonly Evaluation<unknown>[];
  readonly inference: Inference;
}

interface Sizes {
  /** Values there would be of all rows. */
  readonly rows: number;
  readonly truncates: boolean;
}

/** @param asked rows that were measured, or failed; more than there are where each is sampled several times */
function sizes({ length, ofTotals }: Evaluation<unknown>, asked: number): Sizes {
  return { rows: Math.max(length, asked), truncates: ofTotals };
}

/** Does two things at once. When one fails the other is stopped, and nothing goes on behind the failure. */
async function together<A, B>(
  outer: AbortSignal,
  [one, other]: [(signal: AbortSignal) => Promise<A>, (signal: AbortSignal) => Promise<B>],
): Promise<[A, B]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  const stopping = (error: unknown) => {
    stop.abort(error);
    throw error;
  };
  const both = [one(signal).catch(stopping), other(signal).catch(stopping)] as const;
  await Promise.allSettled(both);
  return Promise.all(both);
}
