import { ElenchusError, messageOf } from "../../base/index.js";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { defineScorer } from "../defineScorer.js";
import { pythonPattern } from "../python/index.js";
import type {
  Judgement,
  NamedResults,
  ScoreAggregation,
  Scorer,
  ScorerMetrics,
  ScorerRow,
} from "../scorer.js";
import type { JudgeMessage } from "./judgeModel.js";
import { type JudgeParams, type JudgePreset, judgeParams } from "./judgeParams.js";
import { JudgeSession } from "./judgeSession.js";
import { filledTemplate } from "./template.js";
import { type Verdict, type VerdictRules, verdictIn } from "./verdict.js";

/** What makes a scorer of a preset of prompt and patterns. */
export interface JudgeScorerInit {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly string[];
  readonly preset: JudgePreset;
  /** Aggregation functions where params name none. */
  readonly aggregations: readonly string[];
  /** The average under a name of its own. */
  readonly averageName?: string;
}

/** A judgement by a model. */
interface JudgedRow extends Judgement {
  /** There is an answer without a verdict, or no answer. Such a row never counts as a score. */
  readonly unjudged?: true;
  readonly error?: string;
}

/**
 * A scorer that asks a model. A row without a verdict is `unjudged`: its score is null, it is counted, and nothing is
 * drawn in its place.
 */
export function judgeScorer(init: JudgeScorerInit): Scorer {
  return defineScorer({
    name: init.name,
    description: init.description,
    columns: init.columns,
    params: judgeParams(init.preset),
    begin(params: JudgeParams, surroundings) {
      const session = new JudgeSession(params.judge_model, surroundings);
      const rules: VerdictRules = {
        patterns: params.judge_score_regexes.map((source) => pythonPattern(source)),
        categories: params.categories,
        aliases: params.aliases,
        range: params.range,
      };
      // Whose patterns and whose answers they are nobody knows: one may try without end on the other.
      const reader = surroundings.threads?.verdicts(rules);
      const read = async (text: string, signal: AbortSignal | undefined) =>
        reader === undefined ? verdictIn(text, rules) : await reader.read(text, signal);
      return {
        concurrency: params.concurrency,
        start: (signal) => session.open(signal),
        judge: (row, _, signal) => judged(row, params, { session, read, signal }),
        aggregation: new JudgeAggregation(init, params, session),
        async end() {
          reader?.end();
          await session.close();
        },
      };
    },
  });
}

interface Asking {
  readonly session: JudgeSession;
  readonly read: (text: string, signal: AbortSignal | undefined) => Promise<Verdict>;
  readonly signal: AbortSignal | undefined;
}

async function judged(
  row: ScorerRow,
  params: JudgeParams,
  { session, read, signal }: Asking,
): Promise<JudgedRow> {
  const messages = questionOf(row, params);
  let last = { text: "", unparsed: "" };
  for (let attempt = 0; attempt < params.attempts; attempt++) {
    const options = {
      temperature: params.temperature,
      maxTokens: params.max_tokens,
      seed: params.seed + attempt,
    };
    let text: string;
    try {
      text = (await session.ask(messages, options, signal)).text;
    } catch (error) {
      signal?.throwIfAborted();
      return unjudged(`The judge gave no answer: ${messageOf(error)}`, error);
    }
    let verdict: Verdict;
    try {
      verdict = await read(text, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const why = `The judge's answer was not read: ${messageOf(error)}`;
      return { ...unjudged(why, error), feedback: text.slice(0, 1000) };
    }
    if (!("unparsed" in verdict)) return { ...verdict, feedback: text };
    last = { text, unparsed: verdict.unparsed };
  }
  return {
    score: null,
    unjudged: true,
    feedback: last.text,
    error: `The judge's answer has no verdict: ${last.unparsed}.`,
  };
}

function unjudged(error: string, cause: unknown): JudgedRow {
  const code = cause instanceof ElenchusError ? cause.code : undefined;
  return { score: null, unjudged: true, error, ...(code !== undefined && { error_code: code }) };
}

function questionOf(
  row: ScorerRow,
  { system_prompt: system, prompt_template: template }: JudgeParams,
): JudgeMessage[] {
  const user: JudgeMessage = { role: "user", content: filledTemplate(template, row) };
  return system === undefined ? [user] : [{ role: "system", content: filledTemplate(system, row) }, user];
}

/** The figures of the verdicts, how many rows have none, and what the judge was asked and took. */
class JudgeAggregation implements ScoreAggregation<JudgedRow> {
  readonly #functions: NamedAggregations;
  #judged = 0;
  #unjudged = 0;

  constructor(
    private readonly init: JudgeScorerInit,
    private readonly params: JudgeParams,
    private readonly session: JudgeSession,
  ) {
    this.#functions = new NamedAggregations(params, init.aggregations);
  }

  add(row: JudgedRow): void {
    if (row.unjudged) this.#unjudged++;
    else this.#judged++;
    this.#functions.add(row);
  }

  metrics(): ScorerMetrics {
    const found = this.#functions.metrics();
    const { averageName } = this.init;
    return {
      ...(averageName !== undefined && "average" in found && { [averageName]: found.average! }),
      ...found,
      num_judged: this.#judged,
      num_unjudged: this.#unjudged,
    };
  }

  details(): Record<string, ScorerMetrics> {
    const { totals } = this.session;
    const { price } = this.params;
    const cost =
      price === undefined
        ? null
        : (totals.input_tokens * price.input + totals.output_tokens * price.output) / 1_000_000;
    return { ...this.#functions.details(), judge: { ...totals, cost } };
  }

  named(): NamedResults {
    return this.#functions.named();
  }
}
