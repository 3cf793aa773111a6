import type { Config } from "../config/index.js";
import { mostRows } from "../data/index.js";

/** What of the configuration bounds the samples of a client. */
export type SampleBoundConfig = Pick<Config, "data"> & {
  readonly server: Pick<Config["server"], "max_samples">;
};

/**
 * The most samples that a client can have trained on: `server.max_samples`, else the most rows that `data.sampler` gives.
 * @returns undefined where neither says
 */
export function sampleBound({ data, server }: SampleBoundConfig): number | undefined {
  return server.max_samples ?? mostRows({ data });
}

/**
 * What is wrong with the samples that a client says it has trained on, for a message; null where nothing is. They are the
 * weight of its update, so that whoever claims without measure would own the mean.
 */
export function sampleFault(clientId: number, samples: number, config: SampleBoundConfig): string | null {
  const most = sampleBound(config) ?? Number.MAX_SAFE_INTEGER;
  if (Number.isInteger(samples) && samples >= 0 && samples <= most) return null;
  const from = config.server.max_samples === undefined ? "data.sampler" : "server.max_samples";
  const why = most === Number.MAX_SAFE_INTEGER ? "" : `, the most that ${from} allows`;
  return `Client ${clientId} says that it trained on ${samples} samples; expected a whole number from 0 to ${most}${why}. Set server.max_samples where clients may have more.`;
}
