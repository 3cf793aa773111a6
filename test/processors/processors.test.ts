import { processorSuite } from "./suites/processorSuite.js";
import { pipelineOf } from "./support.js";

// Half precision has 11 significant bits, brain float 8: half a step below 1.
processorSuite("deflate", pipelineOf(["deflate"]), { error: 0 });
processorSuite("zstd", pipelineOf(["zstd"]), { error: 0 });
processorSuite("float16", pipelineOf(["float16"]), { error: 2 ** -12 });
processorSuite("bfloat16", pipelineOf(["bfloat16"]), { error: 2 ** -9 });
// Of at most 60 changes between -2 and 2 the norm is below 16; a step of 64 is below 1/4.
processorSuite("qsgd", pipelineOf(["qsgd"]), { error: 0.25 });
processorSuite("top_k", pipelineOf(["top_k", { ratio: 0.3 }]), { error: 2 });
processorSuite("unstructured_pruning", pipelineOf(["unstructured_pruning"]), { error: 1 });
processorSuite("structured_pruning", pipelineOf(["structured_pruning"]), { error: 1 });
processorSuite(
  "top_k, qsgd and zstd one after the other",
  pipelineOf(["top_k", { ratio: 0.5 }], ["qsgd", { bucket_size: 8 }], ["zstd"]),
  { error: 2.25 },
);
processorSuite(
  "pruning, half precision and deflate one after the other",
  pipelineOf(["unstructured_pruning", { method: "random" }], ["float16"], ["deflate"]),
  { error: 1 },
);
