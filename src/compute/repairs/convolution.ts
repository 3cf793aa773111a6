import type { TensorInfo } from "@tensorflow/tfjs-core";
import { padImage, planConvolution, SPARE_BYTES } from "./convolutionPlan.js";
import { finishFused, isRowBias } from "./fused.js";
import type { Attributes, Repair, RepairTools } from "./repair.js";

/** Stock: wrong with padding `same` and a stride larger than the filter; slow with few channels. */
export const convolutionRepair: Repair = {
  kernelName: "Conv2D",
  run: ({ x, filter }, attributes, tools) => convolve(x!, filter!, undefined, attributes, tools),
};

/** Stock: as above. */
export const fusedConvolutionRepair: Repair = {
  kernelName: "FusedConv2D",
  run: ({ x, filter, bias, preluActivationWeights }, attributes, tools) => {
    const row = isRowBias(bias, filter!.shape[3] ?? 1) ? bias : undefined;
    const result = convolve(x!, filter!, row, attributes, tools);
    return finishFused(result, { bias: row ? undefined : bias, preluActivationWeights }, attributes, tools);
  },
};

function convolve(
  x: TensorInfo,
  filter: TensorInfo,
  bias: TensorInfo | undefined,
  attributes: Attributes,
  { memory }: RepairTools,
): TensorInfo {
  const plan = planConvolution(x.shape, filter.shape, attributes);
  const { kh, kw, c, o, outH, outW, n } = plan;
  const { kernels } = memory;
  const patch = kh * kw * c;
  const panelBytes = Math.ceil(o / 8) * patch * 32;
  const inputs = bias ? [x, filter, bias] : [x, filter];
  const scratchBytes = SPARE_BYTES + panelBytes + plan.paddedBytes;

  return memory.make(inputs, plan.outShape, scratchBytes, (out, scratch, xAt, filterAt, biasAt) => {
    const panels = scratch + SPARE_BYTES;
    kernels.packFilter(panels, filterAt!, patch, o);
    for (let index = 0; index < n; index += 1) {
      const image = padImage(kernels, plan, xAt! + index * plan.imageBytes, panels + panelBytes);
      kernels.convolveImage(
        out + index * outH * outW * o * 4,
        outH,
        outW,
        o,
        image,
        plan.paddedW,
        c,
        panels,
        kh,
        kw,
        plan.strideH,
        plan.strideW,
        plan.dilationH,
        plan.dilationW,
        scratch,
      );
    }
    if (bias) kernels.addBias(out, biasAt!, n * outH * outW, o);
  });
}
