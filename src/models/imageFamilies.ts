import { ElenchusError } from "../base/index.js";
import type { Config, EntryFault } from "../config/index.js";
import type { ModelFactory } from "./model.js";
import { resnetParameters, vggParameters } from "./modelParameters.js";
import type { ResnetDepth } from "./resnet.js";
import type { VggDepth } from "./vgg.js";

/** A network that comes in several depths. `trainer.model_type` may name the family alone, as Plato's does. */
export interface ImageFamily {
  readonly name: string;
  readonly title: string;
  readonly depths: readonly number[];
  /** What images it takes, for a description. */
  readonly images: string;
  readonly options: NonNullable<ModelFactory["options"]>;
  /** Makes the factory of one depth. */
  readonly of: (depth: number) => ModelFactory;
}

export const IMAGE_FAMILIES: readonly ImageFamily[] = [
  {
    name: "resnet",
    title: "ResNet",
    depths: [18, 34] satisfies ResnetDepth[],
    images: "images",
    options: resnetParameters,
    of: (depth) => async (request) => new (await import("./resnet.js")).Resnet(depth as ResnetDepth, request),
  },
  {
    name: "vgg",
    title: "VGG",
    depths: [11, 13, 16, 19] satisfies VggDepth[],
    images: "images from 16x16 up, with batch normalisation",
    options: vggParameters,
    of: (depth) => async (request) => new (await import("./vgg.js")).Vgg(depth as VggDepth, request),
  },
];

/** The names of a family's networks: `resnet_18`, `resnet_34`. */
export function membersOf({ name, depths }: ImageFamily): string[] {
  return depths.map((depth) => `${name}_${depth}`);
}

/** Builds the network of the family that `trainer.model_name` names. The factory throws CONFIG_INVALID for any other. */
export function byName(family: ImageFamily): ModelFactory {
  return (request) => {
    const depth = family.depths.find((one) => request.modelName === `${family.name}_${one}`);
    if (depth !== undefined) return family.of(depth)(request);
    throw new ElenchusError(
      "CONFIG_INVALID",
      `trainer.model_type = "${family.name}" with trainer.model_name = ${JSON.stringify(request.modelName)}: expected ${membersOf(family).join(", ")}.`,
    );
  };
}

/** The same before anything is built. */
export function requireMember(family: ImageFamily, { trainer }: Pick<Config, "trainer">): EntryFault[] {
  const members = membersOf(family);
  if (members.includes(trainer.model_name)) return [];
  const expected = `${members.join(", ")}, since trainer.model_type = "${family.name}" leaves the depth to it`;
  return [{ path: ["trainer", "model_name"], expected }];
}
