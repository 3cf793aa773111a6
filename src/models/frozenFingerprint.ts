import { createHash } from "node:crypto";
import type * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../base/index.js";
import type { WeightArray, Weights } from "../weights/index.js";

/** Name of the array that stands for weights that do not travel: 32 bytes. */
const FINGERPRINT = "frozen.sha256";

/**
 * Puts a fingerprint of frozen weights beside those that travel, and compares it. Adapters that were trained on
 * another base would load without a word and compute nonsense.
 */
export class FrozenFingerprint {
  #known: { frozen: number; bytes: Uint8Array } | undefined;

  /** The weights with the fingerprint behind them; as they are where nothing is frozen. */
  beside(weights: Weights, frozen: ReadonlyMap<string, tf.Tensor>): Weights {
    if (frozen.size === 0) return weights;
    const print: WeightArray = { dtype: "uint8", shape: [32], data: this.#of(frozen).slice() };
    return new Map([...weights, [FINGERPRINT, print]]);
  }

  /**
   * The weights without the fingerprint, which must be that of the model's own frozen weights.
   * @throws WEIGHTS_INVALID when it is missing or another
   */
  taken(model: string, weights: Weights, frozen: ReadonlyMap<string, tf.Tensor>): Weights {
    if (frozen.size === 0) return weights;
    const found = weights.get(FINGERPRINT);
    const own = hex(this.#of(frozen));
    if (found === undefined || hex(found.data) !== own) {
      throw new ElenchusError(
        "WEIGHTS_INVALID",
        `These weights do not fit the model ${model}: they belong to frozen weights with SHA-256 ${found ? hex(found.data) : "unknown"}, and those here have ${own}. Expected the same trainer.model_name and model_revision, [parameters.model], [parameters.lora], trainer.trainable and trainer.random_seed as where they were made.`,
        { details: { model } },
      );
    }
    const rest = new Map(weights);
    rest.delete(FINGERPRINT);
    return rest;
  }

  /** Frozen weights never change, but more may be frozen. */
  #of(frozen: ReadonlyMap<string, tf.Tensor>): Uint8Array {
    if (this.#known?.frozen !== frozen.size) this.#known = { frozen: frozen.size, bytes: digestOf(frozen) };
    return this.#known.bytes;
  }
}

/** SHA-256 of tensors: of each in order, a line of JSON `[name, shape]` and its values, little-endian. */
function digestOf(tensors: ReadonlyMap<string, tf.Tensor>): Uint8Array {
  const hash = createHash("sha256");
  for (const [name, tensor] of tensors) {
    hash.update(`${JSON.stringify([name, tensor.shape])}\n`);
    hash.update(bytesOf(tensor.dataSync()));
  }
  return new Uint8Array(hash.digest());
}

function hex(data: ArrayBufferView): string {
  return Buffer.from(bytesOf(data)).toString("hex");
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
