import { sizeOf } from "../tensorMemory.js";
import type { Repair } from "./repair.js";

/** Missing in the package: it is the gradient of a gather, so of every embedding. */
export const segmentSumRepair: Repair = {
  kernelName: "UnsortedSegmentSum",
  run: ({ x, segmentIds }, { numSegments }, { memory }) => {
    if (x!.dtype !== "float32") {
      throw new Error(`unsortedSegmentSum takes float32 tensors on the wasm back end, got ${x!.dtype}.`);
    }
    const segments = Number(numSegments);
    const rows = sizeOf(segmentIds!.shape);
    const innerShape = x!.shape.slice(segmentIds!.shape.length);
    return memory.make([x!, segmentIds!], [segments, ...innerShape], 0, (out, _scratch, xAt, idsAt) => {
      memory.kernels.segmentSum(out, xAt!, idsAt!, rows, sizeOf(innerShape), segments);
    });
  },
};
