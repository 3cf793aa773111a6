import { ERROR_CATALOGUE } from "../base/index.js";
import type { Config } from "../config/index.js";
import {
  aggregateClients,
  type EvaluationOutcome,
  failedOutcome,
  type TableEntry,
  tableEntries,
} from "../evaluators/index.js";
import type { ClientEvaluation } from "../protocol/index.js";
import type { ClientEvaluations } from "../results/index.js";
import type { ClientResult } from "./clientResults.js";

/** Metrics of one evaluator that clients may bring into a record. Each has four columns for good. */
const MOST_METRICS = 1000;

/** What came of the evaluators on a round's clients. */
export interface RoundEvaluations {
  /** Over clients, in table order; an evaluator that no client gave numbers of is absent. */
  readonly evaluations: readonly ClientEvaluations[];
  /** What to say of failures, one line for each evaluator. */
  readonly warnings: readonly string[];
}

/** Aggregates what clients reported of their evaluators, and remembers which metrics there are. */
export interface ClientEvaluationBook {
  take(clients: readonly ClientResult[]): RoundEvaluations;
}

/** @param config says which evaluators run on clients: what a client says of others counts for nothing */
export function createClientEvaluationBook(config: Config): ClientEvaluationBook {
  const known = new Map<string, Set<string>>();

  return {
    take(clients) {
      const evaluations: ClientEvaluations[] = [];
      const warnings: string[] = [];
      for (const entry of tablesOnClients(config)) {
        const { name } = entry;
        const reported = reportsOf(entry, clients);
        const metrics = aggregateClients(
          reported.map(({ client, evaluation }) => ({
            weight: client.numSamples,
            metrics: evaluation.metrics.map((metric) => ({
              ...metric,
              higherIsBetter: metric.higher_is_better,
            })),
          })),
        );
        const names = known.get(name) ?? new Set<string>();
        known.set(name, names);
        const taken = metrics.filter(({ metric }) => {
          if (names.size < MOST_METRICS) names.add(metric);
          return names.has(metric);
        });
        if (taken.length > 0) evaluations.push({ name, metrics: taken });
        if (taken.length < metrics.length) {
          warnings.push(
            `Clients have given more than ${MOST_METRICS} metrics of the evaluator "${name}"; ${metrics.length - taken.length} more are left out.`,
          );
        }
        const failed = reported.filter(({ evaluation }) => isFailure(evaluation));
        if (failed.length > 0 && !entry.failOnError) {
          const { client, evaluation } = failed[0]!;
          warnings.push(
            `The evaluator "${name}" failed on ${failed.length} of ${reported.length} clients, whose numbers are left out; on client ${client.clientId}: ${evaluation.reason ?? evaluation.status}`,
          );
        }
      }
      return { evaluations, warnings };
    },
  };
}

/**
 * The server's outcomes with failures on clients in them, of evaluators with `fail_on_error = true`: what was measured
 * stays, and the status says that the evaluator failed.
 */
export function withClientFailures(
  config: Config,
  outcomes: readonly EvaluationOutcome[],
  clients: readonly ClientResult[],
): readonly EvaluationOutcome[] {
  let all = outcomes;
  for (const entry of tablesOnClients(config)) {
    if (!entry.failOnError) continue;
    const failed = reportsOf(entry, clients).find(({ evaluation }) => isFailure(evaluation));
    if (failed === undefined) continue;
    const { status, code, reason } = failed.evaluation;
    const failure = {
      status: status === "timeout" ? "timeout" : "failed",
      code: code !== null && Object.hasOwn(ERROR_CATALOGUE, code) ? code : "EVALUATION_FAILED",
      message: `on client ${failed.client.clientId}: ${reason ?? status}`,
      durationSeconds: 0,
    } as const;
    const own = outcomes.find(({ name }) => name === entry.name);
    if (own !== undefined && own.error !== null) continue;
    const outcome =
      own === undefined
        ? failedOutcome(entry, failure)
        : {
            ...own,
            status: failure.status,
            reason: failure.message,
            error: { code: failure.code, message: failure.message },
            targetReached: false,
          };
    all = own === undefined ? [...all, outcome] : all.map((one) => (one === own ? outcome : one));
  }
  return all;
}

/** What evaluators may know of the round's clients, as plain JSON: for example how unlike they are. */
export function clientResultsEntry(clients: readonly ClientResult[]): readonly object[] {
  return clients.map(({ clientId, numSamples, trainLoss, scalar, evaluations = [] }) => ({
    client_id: clientId,
    num_samples: numSamples,
    train_loss: trainLoss,
    scalar: scalar === null ? null : { name: scalar.name, value: scalar.value },
    evaluations: Object.fromEntries(
      evaluations.map(({ name, metrics }) => [
        name,
        Object.fromEntries(metrics.map((metric) => [metric.name, metric.value])),
      ]),
    ),
  }));
}

function tablesOnClients(config: Config): TableEntry[] {
  return tableEntries(config).filter(({ table }) => table?.on_clients === true);
}

function reportsOf({ name }: TableEntry, clients: readonly ClientResult[]) {
  return clients.flatMap((client) => {
    const evaluation = client.evaluations?.find((one) => one.name === name);
    return evaluation === undefined ? [] : [{ client, evaluation }];
  });
}

function isFailure({ status }: ClientEvaluation): boolean {
  return status === "failed" || status === "timeout";
}
