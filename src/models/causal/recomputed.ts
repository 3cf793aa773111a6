import * as tf from "@tensorflow/tfjs-core";
import type { Random } from "../../base/index.js";

/** A piece of a forward pass that can be computed again. */
export interface Recomputation<I extends readonly tf.Tensor[], F extends readonly tf.Tensor[]> {
  /** What comes in from pieces before, floats. */
  readonly inputs: I;
  /** What comes in besides and has no gradient, such as token ids. */
  readonly fixed: F;
  /** All the variables that `compute` reads. */
  readonly variables: readonly tf.Variable[];
  /** What `compute` draws from: the second time it draws the same. */
  readonly random: Random | undefined;
  /** Uses no tensors but those it is given, the variables, and what it makes. */
  readonly compute: (inputs: I, fixed: F) => tf.Tensor2D;
}

/**
 * The piece's result. Of what it computed on the way nothing is kept for the gradient: that comes from computing the
 * piece once more (Chen et al. 2016, arXiv:1604.06174), so that only one piece's tensors exist at a time. The same
 * kernels run on the same numbers, hence the gradients are those of the piece itself.
 * @throws Error in the backward pass when `compute` reads a variable that was not named: it would be left untrained
 */
export function recomputed<const I extends readonly tf.Tensor[], const F extends readonly tf.Tensor[]>(
  piece: Recomputation<I, F>,
): tf.Tensor2D {
  const { inputs, fixed, variables, random, compute } = piece;
  const before = random?.state();
  const again = (given: I, unchanged: F): tf.Tensor2D => {
    const now = random?.state();
    if (before) random?.restore(before);
    const result = compute(given, unchanged);
    if (now) random?.restore(now);
    requireNamed(variables);
    return result;
  };
  // A gradient reaches the variables because they are inputs of this node; those that a closure only captures are
  // invisible to the tape.
  return tf.customGrad<tf.Tensor2D>((...given) => {
    const save = given.at(-1) as tf.GradSaveFunc;
    save([...inputs, ...fixed]);
    return {
      value: compute(inputs, fixed),
      gradFunc: (upstream, saved) => {
        const restored = saved.slice(0, inputs.length) as readonly tf.Tensor[] as I;
        const unchanged = saved.slice(inputs.length) as readonly tf.Tensor[] as F;
        return gradients(() => again(restored, unchanged), [...restored, ...variables], upstream);
      },
    };
  })(...inputs, ...variables);
}

/** What `f` gives back is differentiated by `by`, in the middle of another backward pass. */
function gradients(f: () => tf.Tensor2D, by: tf.Tensor[], upstream: tf.Tensor2D): tf.Tensor[] {
  const { state } = tf.engine();
  // The engine takes a tape begun during a backward pass for the only one, and drops it at the end: without the outer
  // one it could not free what that has saved.
  const outer = state.activeTape;
  try {
    return tf.tidy(() =>
      tf
        .engine()
        .gradients(f, by, upstream, true)
        .grads.map((gradient, place) => gradient ?? tf.zerosLike(by[place]!)),
    );
  } finally {
    state.activeTape = outer;
  }
}

function requireNamed(variables: readonly tf.Variable[]): void {
  const named = new Set<tf.Tensor>(variables);
  for (const { inputs } of tf.engine().state.activeTape) {
    for (const input of Object.values(inputs)) {
      if (!(input instanceof tf.Variable) || !input.trainable || named.has(input)) continue;
      throw new Error(
        `a block of the model reads the variable ${input.name} [${input.shape.join(", ")}] without saying so, and computed again it would get no gradient`,
      );
    }
  }
}
