import { z } from "zod";
import { ElenchusError, systemClock } from "../base/index.js";
import {
  EVALUATION_STATUSES,
  type EvaluationOutcome,
  type EvaluationPayload,
  recordedOutcomes,
  registry,
  type TableEntry,
  tableEntries,
} from "../evaluators/index.js";
import { hasHeader } from "./csvFile.js";
import type { RunStatus } from "./manifest.js";
import { readTable } from "./readTable.js";
import { defaultRunId, runPaths } from "./runPaths.js";
import { RunRecord } from "./runRecord.js";
import type { RunRecordOptions } from "./runRecordOptions.js";

/** What a loop's record is made from: all of it may be left out. */
export interface LoopRecordOptions extends Omit<RunRecordOptions, "resultPath" | "runId" | "evaluators"> {
  /** Folder of all runs. Default `./runtime/results`. */
  readonly folder?: string;
  /** Default `<name>-<time>`. */
  readonly runId?: string;
  /** Default `loop`. */
  readonly name?: string;
  /** Go on behind the last row of an existing run. Default false. */
  readonly resume?: boolean;
}

/** Anything with a state that `runConfiguredEvaluation` writes into, a `TrainingContext` for one. */
export interface WithState {
  readonly state: ReadonlyMap<string, unknown>;
}

/** The record of a training loop that is no Elenchus server's. */
export interface LoopRecord {
  readonly runId: string;
  /** Path of the CSV. */
  readonly csv: string;
  /** The round of the last row when the record was opened: a resumed loop goes on behind it. Null: none, or no column says. */
  readonly lastRound: number | null;
  /**
   * Appends a row.
   * @param items cells by column; those that `types` does not name are left out
   * @param evaluations outcomes, or the context that `runConfiguredEvaluation` was given; a copy of it has lost
   *   the details of its results and the codes of its errors
   * @throws RESULT_INVALID when the context's state holds something else
   */
  append(
    items: { readonly round: number; readonly [item: string]: number | string | null | undefined },
    evaluations?: WithState | readonly EvaluationOutcome[],
  ): Promise<void>;
  /** Closes the files. Default status `completed`. */
  finish(status?: Exclude<RunStatus, "running">): Promise<void>;
}

/**
 * Opens the record of a foreign training loop. `config` is what `runConfiguredEvaluation` gets: its
 * `evaluation` tells the evaluators, its `results.types` the columns unless `types` is given.
 * @throws RUN_EXISTS without `resume`, USAGE for an impossible id, PATH_UNWRITABLE
 */
export async function createRecord(options: LoopRecordOptions = {}): Promise<LoopRecord> {
  const { name = "loop", folder = "./runtime/results", resume = false, ...rest } = options;
  const runId = options.runId ?? defaultRunId(name, (options.clock ?? systemClock).now());
  const types = options.types ?? configuredTypes(options.config);
  const tables = tableEntries(options.config);
  const recordOptions: RunRecordOptions = {
    declared: (type) => (registry.has(type) ? registry.declarations(type).metrics : undefined),
    ...rest,
    name,
    runId,
    resultPath: folder,
    evaluators: tables.map((table) => table.name),
    ...(types !== undefined && { types }),
  };
  const { csv } = runPaths(folder, runId);
  const lastRound = resume && (await hasHeader(csv)) ? await lastRoundIn(csv) : undefined;
  const record =
    lastRound === undefined
      ? await RunRecord.create(recordOptions)
      : await RunRecord.continue(recordOptions, lastRound ?? -1);

  return {
    runId,
    csv,
    lastRound: lastRound ?? null,
    append: async (items, evaluations = []) =>
      record.append({
        round: items.round,
        items: Object.fromEntries(Object.entries(items).map(([item, value]) => [item, value ?? null])),
        evaluations: "state" in evaluations ? outcomesIn(evaluations.state, tables) : [...evaluations],
        clients: [],
      }),
    finish: (status = "completed") => record.finish(status),
  };
}

/** The outcomes of `runConfiguredEvaluation` in a state, in table order. */
function outcomesIn(state: ReadonlyMap<string, unknown>, tables: readonly TableEntry[]): EvaluationOutcome[] {
  const whole = recordedOutcomes(state);
  const outcomes = whole.length > 0 ? whole : outcomesTold(state, tables);
  const places = new Map(tables.map(({ name, index }) => [name, index]));
  const place = ({ name }: EvaluationOutcome) => places.get(name) ?? tables.length;
  return outcomes.sort((one, other) => place(one) - place(other));
}

/**
 * What a state tells of outcomes by itself, where it is only a copy of the one that they were recorded in: no
 * details, and of a failure no more than its reason.
 */
function outcomesTold(
  state: ReadonlyMap<string, unknown>,
  tables: readonly TableEntry[],
): EvaluationOutcome[] {
  const results = stateEntry(state, "evaluation_results", payloadSchema);
  const statuses = stateEntry(state, "evaluation_status", statusSchema);
  // With one table the result goes by its own name, not the table's.
  const only = statuses.size === 1 && results.size === 1 ? [...results.values()][0] : undefined;
  return [...statuses].map(([name, { status, reason, duration }]) => {
    const result = (results.get(name) ?? only ?? null) as EvaluationPayload | null;
    const failed = status === "failed" || status === "timeout";
    const code = status === "timeout" ? "EVALUATION_TIMEOUT" : "EVALUATION_FAILED";
    return {
      name,
      type: tables.find((table) => table.name === name)?.type ?? name,
      status,
      reason,
      durationSeconds: duration,
      error: failed ? { code, message: reason ?? status } : null,
      result,
      details: {},
      sums: {},
      sampled: null,
      failOnError: false,
      primaryHigherIsBetter: null,
      targetReached: false,
    };
  });
}

// Maps by name are checked by hand: `z.record` would lose the name `__proto__`.
const namedSchema = z.custom<object>((value) => typeof value === "object" && value !== null);

const payloadSchema = z.looseObject({
  evaluator: z.string(),
  primary_metric: z.string(),
  metrics: namedSchema,
  higher_is_better: namedSchema,
  artifacts: namedSchema,
  primary_value: z.number(),
});

const statusSchema = z.object({
  status: z.enum(EVALUATION_STATUSES),
  reason: z.string().nullable(),
  duration: z.number(),
});

function stateEntry<T>(
  state: ReadonlyMap<string, unknown>,
  key: string,
  schema: z.ZodType<T>,
): Map<string, T> {
  const value = namedSchema.optional().safeParse(state.get(key));
  const entries = Object.entries(value.data ?? {}).map(
    ([name, entry]) => [name, schema.safeParse(entry)] as const,
  );
  if (!value.success || entries.some(([, parsed]) => !parsed.success)) {
    throw new ElenchusError(
      "RESULT_INVALID",
      `context.state has an entry "${key}" that \`runConfiguredEvaluation\` did not write: expected a map from evaluators' names. Leave that name to it.`,
    );
  }
  return new Map(entries.map(([name, parsed]) => [name, parsed.data as T]));
}

function configuredTypes(config: unknown): string | readonly string[] | undefined {
  const schema = z.object({ results: z.object({ types: z.union([z.string(), z.array(z.string())]) }) });
  return schema.safeParse(config).data?.results.types;
}

async function lastRoundIn(csv: string): Promise<number | null> {
  const last = (await readTable(csv)).rows.at(-1)?.get("round");
  return typeof last === "number" ? last : null;
}
