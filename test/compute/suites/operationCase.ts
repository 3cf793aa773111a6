import { createRandom } from "../../../src/base/index.js";
import { tf } from "../../../src/compute/index.js";

/** One input of a case: random numbers of a shape unless values are given. */
export interface CaseInput {
  readonly shape: readonly number[];
  readonly dtype?: "float32" | "int32" | "bool";
  /** Lowest and highest random number; -2 to 2 by default. */
  readonly range?: readonly [number, number];
  readonly values?: readonly number[];
}

/** One operation on given inputs, run on a back end and on the oracle. */
export interface OperationCase {
  readonly name: string;
  readonly inputs: readonly CaseInput[];
  readonly run: (...inputs: tf.Tensor[]) => tf.Tensor | tf.Tensor[];
  /** Which inputs to differentiate by; none by default. */
  readonly by?: readonly number[];
}

/** A tensor on the host. */
export interface HostTensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly values: readonly number[];
}

/** Random float32 input. */
export function floats(shape: readonly number[], range: readonly [number, number] = [-2, 2]): CaseInput {
  return { shape, range };
}

/** The inputs of a case on the current back end, the same each time. */
export function tensorsOf({ name, inputs }: Pick<OperationCase, "name" | "inputs">): tf.Tensor[] {
  const random = createRandom(7, name);
  return inputs.map((input) => {
    const { dtype = "float32", range = [-2, 2] } = input;
    const size = input.shape.reduce((product, extent) => product * extent, 1);
    const values =
      input.values ??
      Array.from({ length: size }, () => {
        const drawn = range[0] + random.next() * (range[1] - range[0]);
        return dtype === "float32" ? drawn : Math.floor(drawn);
      });
    return tf.tensor([...values], [...input.shape], dtype);
  });
}

/** Results of the case on the current back end: outputs, then gradients under a random upstream gradient. */
export function runCase({ name, inputs, run, by = [] }: OperationCase): HostTensor[] {
  return tf.tidy(() => {
    const tensors = tensorsOf({ name, inputs });
    const outputs = [run(...tensors)].flat();
    const gradients = by.length === 0 ? [] : gradientsOf(tensors, by, run, outputs);
    return [...outputs, ...gradients].map((tensor) => ({
      shape: tensor.shape,
      dtype: tensor.dtype,
      values: [...tensor.dataSync()],
    }));
  });

  function gradientsOf(
    tensors: tf.Tensor[],
    wanted: readonly number[],
    operation: OperationCase["run"],
    outputs: tf.Tensor[],
  ): tf.Tensor[] {
    const upstream = outputs.map((output, index) => {
      const random = createRandom(7, `${name} upstream ${index}`);
      return tf.tensor(
        Array.from({ length: output.size }, () => random.next() * 2 - 1),
        output.shape,
        "float32",
      );
    });
    const loss = (...some: tf.Tensor[]) => {
      const all = tensors.map((tensor, index) => some[wanted.indexOf(index)] ?? tensor);
      const parts = [operation(...all)]
        .flat()
        .map((output, index) => tf.sum(tf.mul(output, upstream[index]!)));
      return tf.addN(parts) as tf.Scalar;
    };
    return tf.grads(loss)(wanted.map((index) => tensors[index]!));
  }
}
