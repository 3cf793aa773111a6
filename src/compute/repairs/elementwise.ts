import { sizeOf } from "../tensorMemory.js";
import type { Repair } from "./repair.js";

/** Stock: copies the data, some hundred times a training step. Tensors never change, so two can share it. */
export const identityRepair: Repair = {
  kernelName: "Identity",
  run: ({ x }, _attributes, tools) => tools.share(x!),
};

/** Stock: to bool it hands on the low byte of the number instead of 0 or 1; to its own type it copies. */
export const castRepair: Repair = {
  kernelName: "Cast",
  run: ({ x }, attributes, tools) => {
    const { dtype } = attributes;
    if (dtype === x!.dtype) return tools.share(x!);
    if (dtype !== "bool" || sizeOf(x!.shape) === 0) return tools.stock("Cast", { x: x! }, attributes);
    const zeroOfOwnType = tools.call("ZerosLike", { x: x! });
    const result = tools.call("NotEqual", { a: x!, b: zeroOfOwnType });
    tools.release(zeroOfOwnType);
    return result;
  },
};

/** Stock: keeps the type of its operands; a floor division gives int32. */
export const floorDivRepair: Repair = {
  kernelName: "FloorDiv",
  run: ({ a, b }, attributes, tools) => {
    const quotient = tools.stock("FloorDiv", { a: a!, b: b! }, attributes);
    if (quotient.dtype === "int32") return quotient;
    const whole = tools.call("Cast", { x: quotient }, { dtype: "int32" });
    tools.release(quotient);
    return whole;
  },
};
