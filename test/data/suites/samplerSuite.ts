import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sampler, SamplerRequest } from "../../../src/data/index.js";
import { datasetOf } from "../dataTable.js";

/**
 * What every sampler must keep to, whatever its rule.
 * @param keys what it reads of `[data]` beside what all requests have, so that the request can be met
 */
export function samplerSuite(
  name: string,
  sampler: Sampler,
  keys: (request: SamplerRequest) => Record<string, unknown> = () => ({}),
): void {
  const requests = plainRequests.map(({ request, clients }) => ({
    request: { ...request, options: { ...request.options, ...keys(request) } },
    clients,
  }));
  describe(`the sampler ${name}`, () => {
    test("gives every client rows of the data set, the same ones each time, whoever was asked before", () => {
      fc.assert(
        fc.property(requests, ({ request, clients }) => {
          const ask = (clientId: number) => sampler.partition({ ...request, clientId });
          const ids = Array.from({ length: clients }, (_, index) => index + 1);
          const forward = ids.map(ask);
          const backward = ids.toReversed().map(ask).toReversed();
          expect(backward).toEqual(forward);
          const plan = sampler.plan?.(request);
          if (plan) expect(ids.map((id) => plan(id))).toEqual(forward);
          for (const partition of forward) {
            expect(partition).toBeInstanceOf(Int32Array);
            expect(partition.length).toBeGreaterThan(0);
            expect(partition.every((row) => row >= 0 && row < request.dataset.length)).toBe(true);
          }
        }),
      );
    });

    test("gives no client a row twice", () => {
      fc.assert(
        fc.property(requests, ({ request }) => {
          const partition = sampler.partition(request);
          expect(new Set(partition).size).toBe(partition.length);
        }),
      );
    });

    test("leaves the data set as it was", () => {
      fc.assert(
        fc.property(requests, ({ request }) => {
          const before = request.dataset.labels.slice();
          sampler.partition(request);
          expect(request.dataset.labels).toEqual(before);
        }),
      );
    });
  });
}

/** Any request that can be met: at least as many rows as clients and as rows per client. */
const plainRequests = fc
  .record({
    labels: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 60 }),
    seed: fc.integer(),
    concentration: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
    size: fc.nat(),
    clients: fc.nat(),
    client: fc.nat(),
  })
  .map(({ labels, seed, concentration, size, clients: wanted, client }) => {
    const clients = 1 + (wanted % labels.length);
    const request: SamplerRequest = {
      dataset: datasetOf(labels, 5),
      clientId: 1 + (client % clients),
      totalClients: clients,
      seed,
      options: { partition_size: 1 + (size % labels.length), concentration },
    };
    return { request, clients };
  });
