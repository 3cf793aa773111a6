import { tf } from "../tensorflow.js";
import type { Repair } from "./repair.js";

/**
 * Stock: a window whose inputs are all zero or less sends its gradient to element 0 or nowhere, and of equal
 * maxima the last one gets it. Here the first largest one gets it, as on the cpu back end.
 */
export const maxPoolGradientRepair: Repair = {
  kernelName: "MaxPoolGrad",
  run: ({ dy, input }, { filterSize, strides, pad, dimRoundingMode }, { memory }) => {
    type Arguments = Parameters<typeof tf.backend_util.computePool2DInfo>;
    const info = tf.backend_util.computePool2DInfo(
      input!.shape as Arguments[0],
      filterSize as Arguments[1],
      strides as Arguments[2],
      1,
      pad as Arguments[4],
      dimRoundingMode as Arguments[5],
    );
    return memory.make([input!, dy!], input!.shape, 0, (dx, _scratch, xAt, dyAt) => {
      memory.kernels.maxPoolGradient(
        dx,
        xAt!,
        dyAt!,
        info.batchSize,
        info.inHeight,
        info.inWidth,
        info.inChannels,
        info.outHeight,
        info.outWidth,
        info.effectiveFilterHeight,
        info.effectiveFilterWidth,
        info.strideHeight,
        info.strideWidth,
        info.padInfo.top,
        info.padInfo.left,
      );
    });
  },
};
