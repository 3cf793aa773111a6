import "../support/cpuTensors.js";
import * as tf from "@tensorflow/tfjs-core";
import { expect, test } from "vitest";
import { portableState } from "../../src/trainers/portableState.js";

test("copies what can be cloned, whatever its keys are", () => {
  const values: [string, unknown][] = [
    ["number", 0.1],
    ["nothing", undefined],
    ["array", Float32Array.of(1, 2).subarray(1)],
    ["nested", { map: new Map([["__proto__", new Set([1n])]]) }],
    ["hostile", JSON.parse('{"__proto__": {"a": 1}}')],
    ["__proto__", new Date(0)],
  ];
  const { state, dropped } = portableState(new Map(values));

  expect([...state]).toEqual(values);
  expect(Object.keys(state.get("hostile") as object)).toEqual(["__proto__"]);
  expect(dropped).toEqual([]);
});

test("leaves out what cannot, and tensors, by key", () => {
  const tensor = tf.scalar(1);
  const { state, dropped } = portableState(
    new Map<string, unknown>([
      ["function", () => 1],
      ["kept", 1],
      ["inside", { deep: [Symbol("s")] }],
      ["promise", Promise.resolve()],
      ["tensor", tensor],
    ]),
  );
  tensor.dispose();

  expect([...state]).toEqual([["kept", 1]]);
  expect(dropped).toEqual(["function", "inside", "promise", "tensor"]);
});

test("gives copies that later changes do not reach", () => {
  const list = [1];
  const { state } = portableState(new Map([["list", list]]));
  list.push(2);

  expect(state.get("list")).toEqual([1]);
});
