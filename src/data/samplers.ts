import { createRegistry } from "../base/index.js";
import type { CatalogEntry } from "../config/index.js";
import type { Sampler } from "./sampler.js";

/** The samplers by the name that `data.sampler` gives. */
export const samplers = createRegistry<Sampler>("sampler");

/** The registered samplers for the configuration's catalog. */
export function samplerCatalog(): CatalogEntry[] {
  return samplers.list().map((entry) => {
    const { options } = samplers.lookup(entry.name);
    return { ...entry, ...(options && { options }) };
  });
}
