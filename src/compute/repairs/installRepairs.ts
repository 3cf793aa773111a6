import type { KernelFunc, NamedAttrMap, TensorInfo } from "@tensorflow/tfjs-core";
import { tf } from "../tensorflow.js";
import type { TensorMemory } from "../tensorMemory.js";
import { convolutionRepair, fusedConvolutionRepair } from "./convolution.js";
import { filterGradientRepair, inputGradientRepair } from "./convolutionGradients.js";
import { castRepair, floorDivRepair, identityRepair } from "./elementwise.js";
import { fusedMatMulRepair, matMulRepair } from "./matMul.js";
import { maxPoolGradientRepair } from "./maxPoolGradient.js";
import type { Repair, RepairTools } from "./repair.js";
import { segmentSumRepair } from "./segmentSum.js";
import { sumRepair } from "./sum.js";

const REPAIRS: readonly Repair[] = [
  matMulRepair,
  fusedMatMulRepair,
  convolutionRepair,
  fusedConvolutionRepair,
  filterGradientRepair,
  inputGradientRepair,
  maxPoolGradientRepair,
  segmentSumRepair,
  sumRepair,
  identityRepair,
  castRepair,
  floorDivRepair,
];

/** The public part of a back end that repairs need. */
interface OwningBackend {
  incRef(dataId: object): void;
  disposeData(dataId: object, force?: boolean): boolean;
}

/**
 * Puts own kernels in the place of the package's, for every tensor of the back end from now on.
 * @param backendName the name that the back end is registered under
 * @param memory how own kernels reach its tensors
 */
export function installRepairs(backendName: string, backend: OwningBackend, memory: TensorMemory): void {
  const stock = new Map<string, KernelFunc>();
  for (const { kernelName } of REPAIRS) {
    const config = tf.getKernel(kernelName, backendName);
    if (config) stock.set(kernelName, config.kernelFunc);
  }

  const run = (kernelName: string, kernel: KernelFunc | undefined, inputs: object, attributes: object) => {
    if (!kernel) throw new Error(`The back end ${backendName} has no kernel ${kernelName}.`);
    return kernel({
      inputs: inputs as Record<string, TensorInfo>,
      attrs: attributes as NamedAttrMap,
      backend,
    }) as TensorInfo;
  };
  const tools: RepairTools = {
    memory,
    call: (kernelName, inputs, attributes = {}) =>
      run(kernelName, tf.getKernel(kernelName, backendName)?.kernelFunc, inputs, attributes),
    stock: (kernelName, inputs, attributes = {}) =>
      run(kernelName, stock.get(kernelName), inputs, attributes),
    share: (tensor, shape = tensor.shape) => {
      backend.incRef(tensor.dataId);
      return { dataId: tensor.dataId, shape: [...shape], dtype: tensor.dtype };
    },
    release: (tensor) => {
      backend.disposeData(tensor.dataId);
    },
  };

  for (const { kernelName, run: repaired } of REPAIRS) {
    if (stock.has(kernelName)) tf.unregisterKernel(kernelName, backendName);
    tf.registerKernel({
      kernelName,
      backendName,
      kernelFunc: ({ inputs, attrs }) => repaired(inputs as Record<string, TensorInfo>, attrs ?? {}, tools),
    });
  }
}
