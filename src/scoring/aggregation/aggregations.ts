import { sharedRegistry } from "../../base/index.js";
import type { ScoreAggregation } from "../scorer.js";
import { AccuracyAggregation } from "./accuracy.js";
import type { IntervalOptions } from "./bootstrap.js";
import { CategoricalCountAggregation } from "./categoricalCount.js";
import { MeanAggregation } from "./mean.js";
import { MedianAggregation } from "./median.js";
import { WeightedAverageAggregation } from "./weightedAverage.js";

/** Makes a fresh gatherer for one scoring. */
export type AggregationFunction = (options: IntervalOptions) => ScoreAggregation;

/** What the params `aggregation_functions` of a scorer may name. */
export const aggregations = sharedRegistry<AggregationFunction>("aggregation", (registry) => {
  const add = (name: string, description: string, make: AggregationFunction) =>
    registry.register(name, make, { description });
  add(
    "accuracy",
    "mean, sum and number of scores that are 0 or 1",
    (options) => new AccuracyAggregation(options),
  );
  add("average", "mean of the scores", (options) => new MeanAggregation("average", options));
  add(
    "weighted_average",
    "mean of the scores by the rows' weights",
    (options) => new WeightedAverageAggregation(options),
  );
  add("median", "median of the scores", (options) => new MedianAggregation(options));
  add("categorical_count", "how often each verdict was given", () => new CategoricalCountAggregation());
});
