import { sharedRegistry } from "../base/index.js";
import type { CatalogEntry } from "../config/index.js";
import { allInclusive } from "./allInclusive.js";
import { iid } from "./iid.js";
import { natural } from "./natural.js";
import { noniid } from "./noniid.js";
import type { Sampler } from "./sampler.js";

/** The samplers by the name that `data.sampler` gives. */
export const samplers = sharedRegistry<Sampler>("sampler", (registry) => {
  registry.register("iid", iid, { description: "Every client an equal random share" });
  registry.register("noniid", noniid, {
    description: "Class shares of each client from a Dirichlet distribution",
  });
  registry.register("natural", natural, {
    description: "Every client what belongs together: a speaker, a file, a user",
  });
  registry.register("all_inclusive", allInclusive, {
    description: "Every client the whole training set",
  });
});

/** The registered samplers for the configuration's catalog. */
export function samplerCatalog(): CatalogEntry[] {
  return samplers.list().map((entry) => {
    const { options, check } = samplers.lookup(entry.name);
    return { ...entry, ...(options && { options }), ...(check && { check }) };
  });
}
