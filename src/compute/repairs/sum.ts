import { tf } from "../tensorflow.js";
import { sizeOf } from "../tensorMemory.js";
import type { Repair } from "./repair.js";

/**
 * Stock: transposes first whenever the summed axes are not the last ones, as for the gradient of every bias.
 * Axes that do not lie side by side, and other types than float32, are left to it.
 */
export const sumRepair: Repair = {
  kernelName: "Sum",
  run: ({ x }, attributes, tools) => {
    const { shape, dtype } = x!;
    const axes = tf.util
      .parseAxisParam(attributes.axis as number | number[], shape)
      .toSorted((a, b) => a - b);
    const first = axes[0] ?? 0;
    const adjacent = axes.every((axis, index) => axis === first + index);
    if (dtype !== "float32" || !adjacent) return tools.stock("Sum", { x: x! }, attributes);

    const end = first + axes.length;
    const kept = attributes.keepDims === true ? axes.map(() => 1) : [];
    const outShape = [...shape.slice(0, first), ...kept, ...shape.slice(end)];
    const outer = sizeOf(shape.slice(0, first));
    const reduced = sizeOf(shape.slice(first, end));
    const inner = sizeOf(shape.slice(end));
    return tools.memory.make([x!], outShape, 0, (out, _scratch, xAt) => {
      tools.memory.kernels.sumMiddle(out, xAt!, outer, reduced, inner);
    });
  },
};
