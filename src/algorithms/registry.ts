import { sharedRegistry } from "../base/index.js";
import type { CatalogEntry, Config, EntryFault } from "../config/index.js";
import type { AlgorithmFactory } from "./algorithm.js";
import { diLoCo } from "./diloco.js";
import { ditto } from "./ditto.js";
import { fedAdagrad } from "./fedadagrad.js";
import { fedAdam } from "./fedadam.js";
import { createFedAvg } from "./fedavg.js";
import { fedAvgM } from "./fedavgm.js";
import { fedBn } from "./fedbn.js";
import { fedDyn } from "./feddyn.js";
import { fedNova } from "./fednova.js";
import { fedPer } from "./fedper.js";
import { fedProx } from "./fedprox.js";
import { fedYogi } from "./fedyogi.js";
import { scaffold } from "./scaffold.js";

/** What may stand in `[algorithm] type`. */
export const algorithms = sharedRegistry<AlgorithmFactory>("algorithm", (registry) => {
  const register = (name: string, factory: AlgorithmFactory, description: string) =>
    registry.register(name, factory, { description });
  register(
    "fedavg",
    createFedAvg,
    "Federated averaging: the mean of the clients' weights, weighted by their numbers of samples.",
  );
  // It averages whatever travels: which weights do is said of the model.
  register(
    "fedavg_lora",
    createFedAvg,
    "Federated averaging of the adapters of [parameters.lora], by Plato's name.",
  );
  register("fedprox", fedProx, "FedAvg whose clients are pulled to the global weights.");
  register("fedavgm", fedAvgM, "FedAvg with momentum on the server.");
  register("fedadam", fedAdam, "Adam on the server.");
  register("fedyogi", fedYogi, "Yogi on the server: Adam whose second moment changes slowly.");
  register("fedadagrad", fedAdagrad, "Adagrad on the server.");
  register("fednova", fedNova, "FedAvg of changes that are divided by how many steps each client made.");
  register("scaffold", scaffold, "Control variates correct the drift of clients from one another.");
  register("feddyn", fedDyn, "A regulariser of each client that follows its gradient.");
  register("diloco", diLoCo, "Many local steps, and Nesterov momentum on the server.");
  register("fedbn", fedBn, "FedAvg of all but batch normalisation, which stays with each client.");
  register(
    "fedper",
    fedPer,
    "FedAvg of all but the layers that algorithm.local_layer_names keeps with each client.",
  );
  register(
    "ditto",
    ditto,
    "FedAvg, and beside it a model of each client's own that is pulled to the global one.",
  );
});

/** The registered algorithms for the configuration's catalog, as `[algorithm] type` names them. */
export function algorithmCatalog(): CatalogEntry[] {
  return algorithms.list().map((entry) => {
    const factory = algorithms.lookup(entry.name);
    const { options, otherKeys } = factory;
    return {
      ...entry,
      ...(options && { options }),
      ...(otherKeys && { otherKeys }),
      check: (config: Config, facts) => [
        ...(factory.check?.(config, facts) ?? []),
        ...serverFaults(factory, config),
      ],
    };
  });
}

/** The same as `[server] type` names them: their options stand in `[algorithm]` all the same. */
export function serverCatalog(): CatalogEntry[] {
  return algorithms.list().map((entry) => {
    const { options, otherKeys } = algorithms.lookup(entry.name);
    const shape = (options as { shape?: Record<string, never> } | undefined)?.shape;
    return { ...entry, otherKeys: { ...otherKeys, ...(shape && { algorithm: shape }) } };
  });
}

/** Clients and server must speak of the same things. */
function serverFaults(own: AlgorithmFactory, { algorithm, server }: Config): EntryFault[] {
  const { type } = server;
  if (type === undefined || !algorithms.has(type) || algorithms.lookup(type).exchange === own.exchange)
    return [];
  const what = (factory: AlgorithmFactory) => factory.exchange ?? "the model's weights";
  return [
    {
      path: ["server", "type"],
      expected: `no other kind of server than "${algorithm.type}", whose clients exchange ${what(own)}; that of "${type}" wants ${what(algorithms.lookup(type))}`,
    },
  ];
}
