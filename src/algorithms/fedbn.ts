import { ElenchusError } from "../base/index.js";
import type { AlgorithmFactory } from "./algorithm.js";
import { withLocalLayers } from "./localLayers.js";
import { batchNormalisation } from "./parameters.js";
import { requireClientTests } from "./personalTest.js";

/**
 * FedBN (Li, Jiang, Zhang, Kamp and Dou, "FedBN: Federated Learning on Non-IID Features via Local Batch Normalization",
 * ICLR 2021, algorithm 1): federated averaging of every weight but those of batch normalisation, scale, shift and
 * running statistics, which stay with each client:
 *
 *     w(t+1) = sum over k of n(k) / n * w(k, t+1)   outside of batch normalisation
 */
export const fedBn: AlgorithmFactory = Object.assign(
  (() =>
    withLocalLayers({
      name: "fedbn",
      localOf(names) {
        const local = batchNormalisation(names);
        if (local.size > 0) return local;
        throw new ElenchusError(
          "CONFIG_CONFLICT",
          'algorithm.type = "fedbn" keeps batch normalisation on clients, but no weight of the model belongs to any. Choose a model that has some, or algorithm.type = "fedper" with algorithm.local_layer_names.',
        );
      },
    })) satisfies AlgorithmFactory,
  { exchange: "some layers", check: requireClientTests },
);
