import { z } from "zod";
import { ElenchusError, parseOptions } from "../base/index.js";
import { namePatterns } from "../models/namePatterns.js";
import type { AlgorithmFactory } from "./algorithm.js";
import { withLocalLayers } from "./localLayers.js";
import { requireClientTests } from "./personalTest.js";

const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

const options = z.object({
  local_layer_names: names.meta({
    description:
      "Which weights stay with each client, by name or module: `*` stands for any characters, `?` for one, a `!` in front excludes.",
  }),
});

/**
 * FedPer (Arivazhagan, Aggarwal, Singh and Choudhary, "Federated Learning with Personalization Layers", 2019,
 * arXiv:1912.00818, algorithms 1 and 2): the base layers B are averaged by samples, the personalisation layers P, most
 * often the last ones, stay with each client; both are trained together:
 *
 *     B(t+1) = sum over k of n(k) / n * B(k, t+1),   P(k, t+1) from P(k, t)
 */
export const fedPer: AlgorithmFactory = Object.assign(
  ((table) => {
    const { local_layer_names: given } = parseOptions(options, table, "[algorithm] of fedper");
    const patterns = namePatterns([given].flat());
    return withLocalLayers({
      name: "fedper",
      localOf(all) {
        const without = patterns.without(all);
        if (without.length === 0) return new Set(all.filter(patterns.chooses));
        const [missing] = without;
        throw new ElenchusError(
          "CONFIG_CONFLICT",
          `algorithm.local_layer_names has ${JSON.stringify(missing)}, which fits no weight of the model. Its weights: ${all.slice(0, 20).join(", ")}${all.length > 20 ? ", ..." : ""}.`,
        );
      },
    });
  }) satisfies AlgorithmFactory,
  { options, exchange: "some layers", check: requireClientTests },
);
