import { sharedRegistry } from "../base/index.js";
import type { ProcessorEntry } from "../config/index.js";
import { deflate } from "./deflate.js";
import { bfloat16, float16 } from "./halfPrecision.js";
import type { ProcessorFactory } from "./processor.js";
import { structuredPruning, unstructuredPruning } from "./pruning.js";
import { qsgd } from "./qsgd.js";
import { topK } from "./topK.js";
import { zstd } from "./zstd.js";

/** What may stand in `outbound_processors` and `inbound_processors` of `[clients]` and `[server]`. */
export const payloadProcessors = sharedRegistry<ProcessorFactory>("payload processor", (registry) => {
  const register = (name: string, factory: ProcessorFactory, description: string) =>
    registry.register(name, factory, { description });
  register("deflate", deflate, "Payloads: DEFLATE compression, without loss.");
  register("zstd", zstd, "Payloads: Zstandard compression, without loss.");
  register("float16", float16, "Payloads: half precision, IEEE 754.");
  register("bfloat16", bfloat16, "Payloads: brain float, the upper half of single precision.");
  register("qsgd", qsgd, "Updates: changes rounded to few levels by chance, without bias.");
  register("top_k", topK, "Updates: the largest changes alone; the others wait for the next update.");
  register(
    "unstructured_pruning",
    unstructuredPruning,
    "Payloads: the smallest weights become 0; compress them behind.",
  );
  register(
    "structured_pruning",
    structuredPruning,
    "Payloads: the smallest units of layers become 0; compress them behind.",
  );
});

/** The registered processors for the configuration's catalog. */
export function processorCatalog(): ProcessorEntry[] {
  return payloadProcessors.list().map((entry) => {
    const { options, ofUpdates, oneWay, bytes, plato } = payloadProcessors.lookup(entry.name);
    return {
      ...entry,
      ...(options && { options }),
      ofUpdates: ofUpdates === true,
      oneWay: oneWay === true,
      bytes: bytes === true,
      ...(plato && { plato }),
    };
  });
}
