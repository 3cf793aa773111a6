import { padImage, planConvolution, SPARE_BYTES } from "./convolutionPlan.js";
import type { Repair } from "./repair.js";

/** Missing in the package: no convolution can be trained without it. */
export const filterGradientRepair: Repair = {
  kernelName: "Conv2DBackpropFilter",
  run: ({ x, dy }, attributes, { memory }) => {
    const shape = attributes.filterShape as number[];
    const plan = planConvolution(x!.shape, shape, attributes);
    const { n, kh, kw, c, o, outH, outW, strideH, strideW } = plan;
    const { kernels } = memory;
    const panelBytes = outH * outW * 32;
    const scratchBytes = SPARE_BYTES + panelBytes + plan.paddedBytes;

    return memory.make([x!, dy!], shape, scratchBytes, (out, scratch, xAt, dyAt) => {
      const panel = scratch + SPARE_BYTES;
      if (n === 0) kernels.clear(out, kh * kw * c * o * 4);
      for (let index = 0; index < n; index += 1) {
        const image = padImage(kernels, plan, xAt! + index * plan.imageBytes, panel + panelBytes);
        kernels.filterGradientOfImage(
          out,
          kh,
          kw,
          c,
          o,
          image,
          plan.paddedW,
          dyAt! + index * outH * outW * o * 4,
          outH,
          outW,
          strideH,
          strideW,
          panel,
          scratch,
          index === 0,
        );
      }
    });
  },
};

/**
 * Stock: several times slower. The gradient is dy with its pixels a stride apart, padded, convolved with the
 * filter turned by half.
 */
export const inputGradientRepair: Repair = {
  kernelName: "Conv2DBackpropInput",
  run: ({ dy, filter }, attributes, { memory }) => {
    const shape = attributes.inputShape as number[];
    const plan = planConvolution(shape, filter!.shape, attributes);
    const { n, h, w, c, kh, kw, o, outH, outW } = plan;
    const { kernels } = memory;
    const panelBytes = Math.ceil(c / 8) * kh * kw * o * 32;
    const spreadH = h + kh - 1;
    const spreadW = w + kw - 1;
    const scratchBytes = SPARE_BYTES + panelBytes + spreadH * spreadW * o * 4;

    return memory.make([dy!, filter!], shape, scratchBytes, (out, scratch, dyAt, filterAt) => {
      const panels = scratch + SPARE_BYTES;
      const spread = panels + panelBytes;
      kernels.packTurnedFilter(panels, filterAt!, kh * kw, c, o);
      for (let index = 0; index < n; index += 1) {
        const from = dyAt! + index * outH * outW * o * 4;
        const top = kh - 1 - plan.top;
        const left = kw - 1 - plan.left;
        kernels.placeImage(
          spread,
          spreadH,
          spreadW,
          from,
          outH,
          outW,
          o,
          top,
          left,
          plan.strideH,
          plan.strideW,
        );
        const into = out + index * plan.imageBytes;
        kernels.convolveImage(into, h, w, c, spread, spreadW, o, panels, kh, kw, 1, 1, 1, 1, scratch);
      }
    });
  },
};
