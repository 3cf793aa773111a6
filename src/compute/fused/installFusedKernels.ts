import type { HeapMemory } from "../tensorMemory.js";
import { activateKernels } from "./activation.js";
import { adamKernels } from "./adamStep.js";
import { attendBackward, attendForward } from "./attentionKernels.js";
import { embeddingKernels } from "./embedding.js";
import { installFusedKernel } from "./fusedKernel.js";
import { linearKernels } from "./linear.js";
import { normaliseKernels } from "./normalisation.js";
import { rotateKernels } from "./rotary.js";
import { crossEntropyKernels } from "./tokenCrossEntropy.js";

const KERNELS = [
  ...normaliseKernels,
  ...activateKernels,
  ...linearKernels,
  ...embeddingKernels,
  ...rotateKernels,
  attendForward,
  attendBackward,
  ...crossEntropyKernels,
  ...adamKernels,
];

/** Gives a back end the fused operations, on its own heap. */
export function installFusedKernels(backendName: string, memory: HeapMemory): void {
  for (const kernel of KERNELS) installFusedKernel(backendName, kernel, memory);
}
