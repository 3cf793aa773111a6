import { ElenchusError } from "../../base/index.js";
import { MeanAggregation } from "../aggregation/mean.js";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { defineScorer } from "../defineScorer.js";
import type { JudgeModel } from "../judge/judgeModel.js";
import type { Judgement, ScoreAggregation, Scorer, ScoringSurroundings } from "../scorer.js";
import { correctnessOf } from "./answerCorrectness.js";
import { rowArguments } from "./autoevalsArguments.js";
import type { AutoevalsEntry } from "./autoevalsCatalogue.js";
import { type AutoevalsParams, autoevalsParams } from "./autoevalsParams.js";
import type { AutoevalsFunction, AutoevalsPackage, AutoevalsScore } from "./autoevalsScore.js";
import { boundFunction } from "./boundFunction.js";
import { type ModelClient, modelClient } from "./modelClient.js";

/**
 * A scorer of the package autoevals (Braintrust, MIT licence), which is loaded with the first row. The client is that of
 * the call for everything it asks, embeddings included; nothing global of the package is touched.
 */
export function autoevalsScorer(
  entry: AutoevalsEntry,
  { name = `autoevals::${entry.name}`, average }: { name?: string; average?: string | undefined } = {},
): Scorer {
  return defineScorer({
    name,
    description: `autoevals: ${entry.description}`,
    columns: ["generated_answer", ...entry.columns.filter((column) => !GIVEN_BY_PARAMS.has(column))],
    params: autoevalsParams,
    begin(params: AutoevalsParams, surroundings) {
      const asked = entry.asks === undefined ? undefined : clientOf(name, params, surroundings);
      let judge: AutoevalsFunction | undefined;
      return {
        ...(entry.asks !== undefined && { concurrency: params.concurrency }),
        async start(signal) {
          const loaded = (await import("autoevals")) as unknown as AutoevalsPackage;
          const client = await asked?.open(signal);
          judge = boundFunction(entry, loaded, { params, ...client });
        },
        judge: async (row) =>
          judgementOf(entry, params, await judge!(rowArguments(row, entry, params.arguments))),
        aggregation: averageOf(params, average),
        end: async () => await asked?.close(),
      };
    },
  });
}

/** Columns whose value may be one for all rows. */
const GIVEN_BY_PARAMS = new Set(["instructions", "criteria", "language", "context"]);

/** The client of one scoring. @throws CONFIG_INVALID where params name none */
function clientOf(name: string, params: AutoevalsParams, { judges }: ScoringSurroundings) {
  const { client, judge_model: reference } = params;
  if (client === undefined && (reference === undefined || judges === undefined)) {
    const missing =
      reference === undefined ? "judge_model is missing" : "nothing was given that opens judge_model";
    throw new ElenchusError(
      "CONFIG_INVALID",
      `params of the scorer ${name}: ${missing}. It asks a model: give "judge_model": "https://host/v1#model", or in code a client.`,
    );
  }
  let opened: JudgeModel | undefined;
  return {
    async open(signal: AbortSignal | undefined): Promise<{ client: ModelClient; model: string | undefined }> {
      if (client !== undefined) return { client, model: params.model };
      opened = await judges!.open(reference, signal);
      return { client: modelClient(opened, signal), model: params.model ?? opened.name };
    },
    close: async () => await opened?.release?.(),
  };
}

/** @throws ROW_INVALID for a score that is no number: the package gives NaN for some inputs */
function judgementOf(entry: AutoevalsEntry, params: AutoevalsParams, found: AutoevalsScore): Judgement {
  const isCorrectness = entry.name === "AnswerCorrectness";
  const { score, metadata } = isCorrectness ? correctnessOf(found, params.arguments) : found;
  if (score !== null && !Number.isFinite(score)) {
    throw new ElenchusError("ROW_INVALID", `autoevals gives ${score} for this row: expected a number.`);
  }
  const rationale = metadata?.rationale;
  return {
    score: score ?? null,
    ...(typeof metadata?.choice === "string" && { category: metadata.choice }),
    ...(typeof rationale === "string" && rationale !== "" && { feedback: rationale }),
    ...(metadata !== undefined && { metadata: JSON.parse(JSON.stringify(metadata)) }),
  };
}

/** Average, also under the name that the first interface of Llama Stack gave it. */
function averageOf(params: AutoevalsParams, name: string | undefined): ScoreAggregation {
  const functions = new NamedAggregations(params, ["average"]);
  if (name === undefined) return functions;
  const own = new MeanAggregation(name);
  return {
    add(judgement: Judgement) {
      functions.add(judgement);
      own.add(judgement);
    },
    metrics: () => ({ [name]: own.metrics()[name]!, ...functions.metrics() }),
    details: () => functions.details(),
    named: () => functions.named(),
    settle: (threads, signal) => functions.settle(threads, signal),
  };
}
