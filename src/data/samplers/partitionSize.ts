import { z } from "zod";
import { ElenchusError, parseOptions, type Random } from "../../base/index.js";
import type { PlanRequest, Sampler } from "./sampler.js";

const factor = z.number().positive();

/** `data.partition_distribution`: by what the `partition_size` of a client is multiplied. */
const distribution = z.discriminatedUnion("distribution", [
  z
    .strictObject({ distribution: z.literal("uniform"), low: z.number().min(0), high: factor })
    .refine(({ low, high }) => low <= high, { error: "expected low not above high" }),
  z.strictObject({ distribution: z.literal("normal"), mean: factor, high: factor }),
]);

/** Keys of samplers whose clients ask for a size. */
export const sizeKeys = (sampler: string) => ({
  partition_size: z
    .int({ error: `the sampler ${sampler} needs a whole number of rows per client` })
    .positive()
    .meta({ description: "Rows of each client.", unit: "rows" }),
});

/** Keys of samplers whose clients may differ in size. */
export const spreadSizeKeys = (sampler: string) => ({
  ...sizeKeys(sampler),
  partition_distribution: distribution.optional().meta({
    description:
      'Of a factor on the partition size, drawn for each client: `{ distribution = "uniform", low, high }`, or `{ distribution = "normal", mean, high }`, where `high` is the standard deviation.',
  }),
});

/**
 * The rows of one client. With a distribution its factor is drawn once; the size is cut to a whole number and held
 * between one row and all.
 * @param random of this client's size alone, so that it does not depend on what else is drawn
 * @throws DATA_INVALID for a `partition_size` that the data does not have
 */
export function partitionSize(
  keys: {
    readonly partition_size: number;
    readonly partition_distribution?: z.output<typeof distribution> | undefined;
  },
  { dataset, purpose }: PlanRequest,
  random: () => Random,
): number {
  const { partition_size: size, partition_distribution: spread } = keys;
  if (size > dataset.length) throw tooLarge(size, dataset.length, `${nameOf(purpose)} has`, purpose);
  if (spread === undefined) return size;
  const drawn =
    spread.distribution === "uniform"
      ? spread.low + (spread.high - spread.low) * random().next()
      : spread.mean + spread.high * random().normal();
  return Math.min(Math.max(Math.trunc(size * drawn), 1), dataset.length);
}

/** The most rows that `partitionSize` gives, whatever is drawn. @param sampler for messages */
export function mostRowsOf(sampler: string): NonNullable<Sampler["mostRows"]> {
  const schema = z.looseObject(spreadSizeKeys(sampler));
  return (options) => {
    const { partition_size: size, partition_distribution: spread } = parseOptions(
      schema,
      options,
      `[data] for the sampler ${sampler}`,
    );
    if (spread === undefined) return size;
    const most = spread.distribution === "uniform" ? spread.high : spread.mean + FARTHEST * spread.high;
    return Math.max(Math.trunc(size * most), 1);
  };
}

/** Standard deviations that no normal number of 53 bits is from the mean. */
const FARTHEST = 10;

export function nameOf(purpose: PlanRequest["purpose"]): string {
  return purpose === "test" ? "the test set" : "the training set";
}

/** @param has what has fewer: `the training set has`, `its classes have` */
export function tooLarge(
  size: number,
  rows: number,
  has: string,
  purpose: PlanRequest["purpose"],
): ElenchusError {
  const test = purpose === "test";
  const [found, mend] = test
    ? [`Parts of ${size} rows are asked for`, "Set data.testset_partition_size to no more"]
    : [`data.partition_size = ${size}`, "Lower data.partition_size"];
  return new ElenchusError("DATA_INVALID", `${found}, but ${has} ${rows} rows. ${mend}.`, {
    details: { path: ["data", test ? "testset_partition_size" : "partition_size"] },
  });
}
