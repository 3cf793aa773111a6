import { z } from "zod";
import { createRandom, ElenchusError, parseOptions } from "../../base/index.js";
import { modalityNames } from "../modalities.js";
import { iid } from "./iid.js";
import type { Sampler } from "./sampler.js";

/** Rows as `iid` deals them; every client has every modality. */
export const modalityIid: Sampler = { ...iid, modalities: ({ dataset }) => modalityNames(dataset) };

const ownKeys = {
  per_client_modalties_size: z.int().positive().default(1).meta({
    description: "Modalities of each client, drawn with the seed. Spelled as in Plato.",
  }),
};
const sizeOption = z.looseObject(ownKeys);
const iidOptions = iid.options as z.ZodObject;

/**
 * Rows as `iid` deals them; every client has `per_client_modalties_size` of the modalities, drawn for it alone, all
 * sets of that size alike. What it lacks is 0 in its inputs.
 */
export const modalityQuantityNoniid: Sampler = {
  ...iid,
  options: iidOptions.extend(ownKeys),
  modalities({ dataset, seed, options, clientId }) {
    const { per_client_modalties_size: size } = parseOptions(
      sizeOption,
      options,
      "[data] for the sampler modality_quantity_noniid",
    );
    const names = modalityNames(dataset);
    if (size > names.length) {
      throw new ElenchusError(
        "DATA_INVALID",
        `data.per_client_modalties_size = ${size}, but the data has ${names.length}: ${names.join(", ")}. Lower it.`,
        { details: { path: ["data", "per_client_modalties_size"] } },
      );
    }
    const drawn = createRandom(seed, "sampler", "modality_quantity_noniid", clientId).sample(
      names.length,
      size,
    );
    return drawn.sort((one, other) => one - other).map((place) => names[place]!);
  },
};
