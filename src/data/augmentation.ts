import { ElenchusError, type Random } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { Batch, Dataset } from "./dataset.js";

/** How images are varied at random in training. */
export interface Augmentation {
  /** Whether each image is mirrored, left and right, with probability 1/2. */
  readonly flip: boolean;
  /** Pixels on every side by which an image is made larger before its old size is cut out anywhere; 0: none. */
  readonly padding: number;
}

/** What `[data]` asks for: `random_horizontal_flip`, `random_crop`. Undefined where it is nothing. */
export function augmentationOf(data: Pick<Config["data"], "random_horizontal_flip" | "random_crop">) {
  const { random_horizontal_flip: flip, random_crop: padding } = data;
  return flip || padding > 0 ? { flip, padding } : undefined;
}

/** @throws DATA_INVALID where rows are no images, or smaller than what would be added to them */
export function checkAugmentation(augmentation: Augmentation | undefined, { inputShape }: Dataset): void {
  if (augmentation === undefined) return;
  const [height = 0, width = 0] = inputShape;
  const key = augmentation.padding > 0 ? "random_crop" : "random_horizontal_flip";
  const fault = (message: string) =>
    new ElenchusError("DATA_INVALID", message, { details: { path: ["data", key] } });
  if (inputShape.length !== 3) {
    throw fault(
      `data.${key} varies images [height, width, channels], but the data has inputs [${inputShape.join(", ")}]. Leave it out.`,
    );
  }
  if (augmentation.padding < Math.min(height, width)) return;
  throw fault(
    `data.random_crop = ${augmentation.padding}, but images are ${height}x${width}: expected less than a side.`,
  );
}

/**
 * The batch with each image varied: mirrored or not, then cut out of the image with `padding` pixels around it, as
 * torchvision's `RandomHorizontalFlip` and `RandomCrop(size, padding)` do, in that order.
 * @param batch of images [height, width, channels]
 * @param blank what stands in the padding, per channel; absent: 0
 * @param random draws once for a flip and twice for a crop, image by image
 */
export function augmented(
  batch: Batch,
  { flip, padding }: Augmentation,
  random: Random,
  blank?: readonly number[],
): Batch {
  const [height, width, channels] = batch.inputShape as readonly [number, number, number];
  const size = height * width * channels;
  const inputs = new Float32Array(batch.inputs.length);
  for (let row = 0; row < batch.length; row++) {
    const mirrored = flip && random.next() < 0.5;
    const down = padding === 0 ? 0 : random.int(2 * padding + 1) - padding;
    const right = padding === 0 ? 0 : random.int(2 * padding + 1) - padding;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const to = row * size + (y * width + x) * channels;
        const [fromY, shown] = [y + down, x + right];
        if (fromY < 0 || fromY >= height || shown < 0 || shown >= width) {
          for (let channel = 0; channel < channels; channel++) inputs[to + channel] = blank?.[channel] ?? 0;
          continue;
        }
        const fromX = mirrored ? width - 1 - shown : shown;
        const from = row * size + (fromY * width + fromX) * channels;
        for (let channel = 0; channel < channels; channel++)
          inputs[to + channel] = batch.inputs[from + channel]!;
      }
    }
  }
  return { ...batch, inputs };
}
