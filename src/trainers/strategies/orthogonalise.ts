import * as tf from "@tensorflow/tfjs-core";

/** Coefficients of five steps, each the best for what the one before leaves (Amsel et al. 2025, arXiv:2505.16932). */
const COEFFICIENTS = [
  [8.156554524902461, -22.48329292557795, 15.878769915207462],
  [4.042929935166739, -2.808917465908714, 0.5000178451051316],
  [3.8916678022926607, -2.772484153217685, 0.5060648178503393],
  [3.285753657755655, -2.3681294933425376, 0.46449024233003106],
  [2.3465413258596377, -1.7097828382687081, 0.42323551169305323],
] as const;

/** Keeps norms of 0 from dividing by them. */
const LITTLE = 1e-6;

/**
 * Nearly U V^T of a matrix U S V^T: all its directions with one length. Newton-Schulz iteration in the form "Polar
 * Express": X = a X + b (X X^T) X + c (X X^T)^2 X, from X = matrix / (1.01 |matrix| + 1e-6); every X X^T is formed on
 * the shorter side. Before it the rows get one norm (Muon-Eq, arXiv:2603.28254), behind it the whole gets that of an
 * orthogonal matrix, sqrt(min(rows, columns)) (Muon+, arXiv:2602.21545). A matrix of zeros stays one.
 * @param matrix [outputs, inputs]
 * @param steps 1 to 5
 */
export function orthogonalise(matrix: tf.Tensor2D, steps: number): tf.Tensor2D {
  const [rows, columns] = matrix.shape;
  return tf.tidy(() => {
    let x = equalRows(matrix);
    x = tf.div(x, tf.add(tf.mul(norm(x), 1.01), LITTLE));
    for (const [a, b, c] of COEFFICIENTS.slice(0, steps)) {
      const tall = rows > columns;
      const gram: tf.Tensor2D = tf.matMul(x, x, tall, !tall);
      const polynomial: tf.Tensor2D = tf.add(tf.mul(gram, b), tf.mul(tf.matMul(gram, gram), c));
      x = tf.add(tf.mul(x, a), tall ? tf.matMul(x, polynomial) : tf.matMul(polynomial, x));
    }
    return tf.mul(x, tf.div(Math.sqrt(Math.min(rows, columns)), tf.maximum(norm(x), LITTLE)));
  });
}

/** Every row with the root of the mean square of their norms. */
function equalRows(matrix: tf.Tensor2D): tf.Tensor2D {
  const norms = tf.sqrt(tf.sum(tf.square(matrix), 1, true));
  const common = tf.div(norm(matrix), Math.sqrt(matrix.shape[0]));
  return tf.mul(matrix, tf.div(common, tf.maximum(norms, LITTLE)));
}

function norm(matrix: tf.Tensor2D): tf.Scalar {
  return tf.sqrt(tf.sum(tf.square(matrix)));
}
