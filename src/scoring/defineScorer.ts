import type { ZodType, z } from "zod";
import { parseOptions } from "../base/index.js";
import type {
  Judgement,
  ScoreAggregation,
  Scorer,
  ScorerRow,
  ScoringSurroundings,
  ScoringWork,
} from "./scorer.js";
import { scoringOf } from "./scoringWork.js";

/** What every scorer says of itself. */
interface ScorerCard<S extends ZodType> {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly string[];
  readonly params: S;
}

/** What makes a scorer of a function that judges one row. */
export interface ScorerDefinition<S extends ZodType, J extends Judgement> extends ScorerCard<S> {
  /** Rows judged at once, for scorers that wait for others. Absent: it computes, one row after the other. */
  readonly concurrency?: (params: z.output<S>) => number;
  /**
   * @param index place of the row in the input, from 0
   * @throws whatever makes the row one that cannot be judged; the message is recorded
   */
  judge(row: ScorerRow, params: z.output<S>, signal: AbortSignal | undefined, index: number): J | Promise<J>;
  /** A fresh gatherer for one scoring. */
  aggregation(params: z.output<S>): ScoreAggregation<J>;
}

/** What makes a scorer that holds something while it scores: a compiled pattern, a model. */
export interface HoldingScorerDefinition<S extends ZodType, J extends Judgement> extends ScorerCard<S> {
  /** The work of one scoring. @throws CONFIG_INVALID for params that do not fit together */
  begin(params: z.output<S>, surroundings: ScoringSurroundings): ScoringWork<J>;
}

/** Makes a scorer that streams, keeps the order and loses no row to another. */
export function defineScorer<S extends ZodType, J extends Judgement>(
  definition: ScorerDefinition<S, J> | HoldingScorerDefinition<S, J>,
): Scorer {
  const { name, description, columns } = definition;
  const begin = (given: unknown, surroundings: ScoringSurroundings): ScoringWork<J> => {
    const params = parseOptions(definition.params, given, `params of the scorer ${name}`);
    return "begin" in definition ? definition.begin(params, surroundings) : plainWork(definition, params);
  };
  const scorer: Scorer = {
    name,
    description,
    columns,
    begin: (given, surroundings = {}) => begin(given, surroundings) as unknown as ScoringWork,
    score(rows, given = {}, signal, surroundings = {}) {
      const work = begin(given, surroundings);
      const { threads } = surroundings;
      // Who waits for others holds no thread up, and needs what is here.
      const rowsThere = work.concurrency === undefined ? threads?.rows(scorer, given) : undefined;
      return scoringOf(rows, work, signal, { ...surroundings, rowsThere });
    },
  };
  return scorer;
}

function plainWork<S extends ZodType, J extends Judgement>(
  definition: ScorerDefinition<S, J>,
  params: z.output<S>,
): ScoringWork<J> {
  return {
    ...(definition.concurrency && { concurrency: definition.concurrency(params) }),
    judge: (row, index, signal) => definition.judge(row, params, signal, index),
    aggregation: definition.aggregation(params),
  };
}
