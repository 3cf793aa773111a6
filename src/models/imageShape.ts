import { ElenchusError } from "../base/index.js";

/**
 * How many channels the images have that a model is to take.
 * @param side smallest height and width it can take
 * @throws DATA_INVALID for inputs that are no such images
 */
export function imageChannels(model: string, inputShape: readonly number[], side: number): number {
  const [height = 0, width = 0, channels] = inputShape;
  if (inputShape.length === 3 && channels !== undefined && Math.min(height, width) >= side) return channels;
  throw new ElenchusError(
    "DATA_INVALID",
    `${model} cannot take inputs [${inputShape.join(", ")}]: expected [height, width, channels] with sides from ${side} up. Use another model, for example multilayer.`,
  );
}
