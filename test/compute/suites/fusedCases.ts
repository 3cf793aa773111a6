import {
  activate,
  attention,
  embedding,
  GATES,
  linear,
  normalise,
  packedAttention,
  rotate,
  type Sight,
  tokenCrossEntropy,
} from "../../../src/compute/fused/index.js";
import { tf } from "../../../src/compute/index.js";
import { floats, type OperationCase } from "./operationCase.js";

/** Widths at and across the borders of vectors (4). */
const WIDTHS = [1, 3, 5, 7, 8, 33, 64];

const norms: OperationCase[] = WIDTHS.flatMap((width) => [
  {
    name: `layer norm of ${width}`,
    inputs: [floats([5, width]), floats([width]), floats([width])],
    run: (x, weight, bias) => normalise(x!, { epsilon: 1e-3, centred: true, weight, bias }),
    // One number alone is its own mean: there is nothing to differentiate by.
    by: width === 1 ? [1, 2] : [0, 1, 2],
  },
  {
    name: `root mean square norm of ${width}`,
    inputs: [floats([2, 3, width], [0.5, 2]), floats([width])],
    run: (x, weight) => normalise(x!, { epsilon: 1e-3, centred: false, weight }),
    by: [0, 1],
  },
  {
    name: `root mean square norm of ${width} without a weight`,
    inputs: [floats([4, width], [0.5, 2])],
    run: (x) => normalise(x!, { epsilon: 1e-3, centred: false }),
    by: [0],
  },
]);

const activations: OperationCase[] = Object.entries(GATES).flatMap(([name, gate]) => [
  ...[1, 3, 33].map((count) => ({
    name: `${name} of ${count}`,
    inputs: [floats([count], [-6, 6])],
    run: (x: tf.Tensor | undefined) => activate(x!, gate),
    by: [0],
  })),
  {
    name: `${name} of numbers far from zero`,
    inputs: [{ shape: [6], values: [-1000, -90, -20, 20, 90, 1000] }],
    run: (x) => activate(x!, gate),
    by: [0],
  },
  {
    name: `${name} times another`,
    inputs: [floats([3, 7], [-6, 6]), floats([3, 7])],
    run: (x, up) => activate(x!, gate, up),
    by: [0, 1],
  },
]);

const dense: OperationCase[] = [
  [1, 1, 1],
  [1, 7, 33],
  [5, 3, 7],
  [67, 33, 5],
].flatMap(([rows, inputs, outputs]) =>
  (["out-in", "in-out"] as const).map((order) => ({
    name: `linear [${rows}, ${inputs}] to ${outputs}, ${order}`,
    inputs: [
      floats([rows!, inputs!]),
      floats(order === "out-in" ? [outputs!, inputs!] : [inputs!, outputs!]),
      floats([outputs!]),
    ],
    run: (x, weight, bias) => linear(x as tf.Tensor2D, weight as tf.Tensor2D, order, bias),
    by: [0, 1, 2],
  })),
);

const tables: OperationCase[] = [1, 3, 33].map((width) => ({
  name: `embedding of width ${width}, rows repeated and left out`,
  inputs: [floats([5, width])],
  run: (table) => embedding(table as tf.Tensor2D, tf.tensor1d([4, 0, 4, 2, 4], "int32")),
  by: [0],
}));

const turns: OperationCase[] = [
  { batch: 1, rows: 1, length: 3, heads: 2, half: 1 },
  { batch: 3, rows: 1, length: 5, heads: 1, half: 3 },
  { batch: 2, rows: 2, length: 3, heads: 3, half: 7 },
  { batch: 2, rows: 1, length: 2, heads: 2, half: 16 },
].map(({ batch, rows, length, heads, half }) => ({
  name: `rotary turn of [${batch}, ${length}, ${heads}, ${2 * half}], ${rows} rows of angles`,
  inputs: [floats([batch, length, heads, 2 * half]), floats([rows, length, half], [-3, 3])],
  run: (states, angle) =>
    rotate(states as tf.Tensor4D, {
      cos: tf.cos(angle as tf.Tensor3D),
      sin: tf.sin(angle as tf.Tensor3D),
    }),
  by: [0],
}));

/** Places of rows that each start where they are said to; negative ones are padding. */
function sightOf(queries: readonly number[][], keys: readonly number[][], window: number): Sight {
  return {
    window,
    queryPlaces: tf.tensor2d([...queries], undefined, "int32"),
    keyPlaces: tf.tensor2d([...keys], undefined, "int32"),
    mask: () => {
      const rows = Math.max(queries.length, keys.length);
      const values = Array.from({ length: rows }, (_, row) =>
        queries[row % queries.length]!.map((own) =>
          keys[row % keys.length]!.map((place) =>
            place >= 0 && place <= own && own - place < window ? 0 : -1e9,
          ),
        ),
      );
      return tf.expandDims(tf.tensor3d(values), 1);
    },
  };
}

const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, index) => start + index);

interface Attending {
  readonly title: string;
  readonly batch: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly size: number;
  readonly queries: number[][];
  readonly keys: number[][];
  readonly window?: number;
}

const attending: readonly Attending[] = [
  { title: "one token", batch: 1, heads: 1, keyHeads: 1, size: 1, queries: [[0]], keys: [[0]] },
  { title: "odd sizes", batch: 3, heads: 3, keyHeads: 3, size: 5, queries: [upTo(7)], keys: [upTo(7)] },
  { title: "grouped heads", batch: 2, heads: 6, keyHeads: 2, size: 4, queries: [upTo(9)], keys: [upTo(9)] },
  {
    title: "more tokens than one block",
    batch: 1,
    heads: 2,
    keyHeads: 1,
    size: 7,
    queries: [upTo(150)],
    keys: [upTo(150)],
  },
  {
    title: "a window over several blocks",
    batch: 1,
    heads: 1,
    keyHeads: 1,
    size: 3,
    queries: [upTo(140)],
    keys: [upTo(140)],
    window: 33,
  },
  {
    title: "one query after many keys",
    batch: 2,
    heads: 2,
    keyHeads: 2,
    size: 8,
    queries: [[30], [30]],
    keys: [upTo(31), upTo(31)],
  },
  {
    title: "rows of different lengths with padding between",
    batch: 2,
    heads: 4,
    keyHeads: 2,
    size: 5,
    queries: [upTo(6, 3), upTo(5, 2)],
    keys: [
      [0, 1, 2, 3, 4, 5],
      [0, 1, -1, 2, 3, 4],
    ],
    window: 4,
  },
];

const attentions: OperationCase[] = attending.flatMap((one) => {
  const { title, batch, heads, keyHeads, size, queries, keys, window = Number.POSITIVE_INFINITY } = one;
  const length = queries[0]!.length;
  const slots = keys[0]!.length;
  const sight = () => sightOf(queries, keys, window);
  const options = () => ({ sight: sight(), scale: 1 / Math.sqrt(size) });
  const separate: OperationCase = {
    name: `attention: ${title}`,
    inputs: [
      floats([batch, length, heads, size]),
      floats([batch, slots, keyHeads, size]),
      floats([batch, slots, keyHeads, size]),
    ],
    run: (q, k, v) => attention(q as tf.Tensor4D, k as tf.Tensor4D, v as tf.Tensor4D, options()),
    by: [0, 1, 2],
  };
  if (heads !== keyHeads || length !== slots) return [separate];
  const packed: OperationCase = {
    name: `attention of packed states: ${title}`,
    inputs: [floats([batch * length, 3 * heads * size])],
    run: (states) => packedAttention(states as tf.Tensor2D, [batch, length, heads], options()),
    by: [0],
  };
  return [separate, packed];
});

const far: OperationCase = {
  name: "attention with scores in the thousands",
  inputs: [floats([1, 9, 1, 4], [-90, 90]), floats([1, 9, 1, 4], [-90, 90]), floats([1, 9, 1, 4])],
  run: (q, k, v) =>
    attention(q as tf.Tensor4D, k as tf.Tensor4D, v as tf.Tensor4D, {
      sight: sightOf([upTo(9)], [upTo(9)], Number.POSITIVE_INFINITY),
      scale: 1,
    }),
  by: [2],
};

const losses: OperationCase[] = [
  ...[1, 3, 5, 33, 257].map((vocabulary) => ({
    name: `cross entropy of ${vocabulary} tokens, one without a label`,
    inputs: [floats([3, vocabulary], [-9, 9])],
    run: (logits: tf.Tensor | undefined) =>
      tokenCrossEntropy(logits as tf.Tensor2D, tf.tensor1d([vocabulary - 1, -100, 0], "int32")),
    by: [0],
  })),
  {
    name: "cross entropy of large logits",
    inputs: [{ shape: [2, 3], values: [1e4, -1e4, 0, -3e4, -3e4, -3e4] }],
    run: (logits) => tokenCrossEntropy(logits as tf.Tensor2D, tf.tensor1d([1, 2], "int32")),
    by: [0],
  },
];

/** Operations that language models are made of: fused on some back ends, composed on others. */
export const fusedCases: readonly OperationCase[] = [
  ...norms,
  ...activations,
  ...dense,
  ...tables,
  ...turns,
  ...attentions,
  far,
  ...losses,
];
