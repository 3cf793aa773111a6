import { sharedRegistry } from "../../base/index.js";
import type { CatalogEntry } from "../../config/index.js";
import { allInclusive } from "./allInclusive.js";
import { distributionNoniid } from "./distributionNoniid.js";
import { iid } from "./iid.js";
import { labelQuantityNoniid } from "./labelQuantityNoniid.js";
import { mixed } from "./mixed.js";
import { mixedLabelQuantityNoniid } from "./mixedLabelQuantityNoniid.js";
import { modalityIid, modalityQuantityNoniid } from "./modalities.js";
import { natural } from "./natural.js";
import { noniid } from "./noniid.js";
import { orthogonal } from "./orthogonal.js";
import { sampleQuantityNoniid } from "./sampleQuantityNoniid.js";
import type { Sampler } from "./sampler.js";

const OWN: readonly [name: string, sampler: Sampler, description: string][] = [
  ["iid", iid, "Every client an equal random share"],
  ["noniid", noniid, "Class shares of each client from a Dirichlet distribution"],
  ["mixed", mixed, "Some clients as noniid, the others a random share"],
  ["orthogonal", orthogonal, "Silos whose classes differ, clients dealt out to them"],
  ["all_inclusive", allInclusive, "Every client the whole training set"],
  [
    "distribution_noniid",
    distributionNoniid,
    "Shares of the rows and class shares, both from Dirichlet distributions",
  ],
  ["label_quantity_noniid", labelQuantityNoniid, "Every client the same number of classes"],
  [
    "mixed_label_quantity_noniid",
    mixedLabelQuantityNoniid,
    "Some clients the same classes, the others as many of the rest",
  ],
  [
    "sample_quantity_noniid",
    sampleQuantityNoniid,
    "Sizes of the clients from a Dirichlet distribution, every row held once",
  ],
  ["modality_iid", modalityIid, "Equal random shares, every client all modalities"],
  [
    "modality_quantity_noniid",
    modalityQuantityNoniid,
    "Equal random shares, every client some of the modalities",
  ],
  ["natural", natural, "Every client what belongs together: a speaker, a file, a user"],
];

/** The samplers by the name that `data.sampler` gives. */
export const samplers = sharedRegistry<Sampler>("sampler", (registry) => {
  for (const [name, sampler, description] of OWN) registry.register(name, sampler, { description });
});

/** The registered samplers for the configuration's catalog. */
export function samplerCatalog(): CatalogEntry[] {
  return samplers.list().map((entry) => {
    const { options, otherKeys, check } = samplers.lookup(entry.name);
    return {
      ...entry,
      ...(options && { options }),
      ...(otherKeys && { otherKeys }),
      ...(check && { check }),
    };
  });
}
