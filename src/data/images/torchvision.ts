import { parseOptions } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceFactory, DatasourceRequest } from "../datasourceFactory.js";
import { hubOf } from "../text/textDatasource.js";
import { type ImageSet, torchvisionOptions } from "./imageOptions.js";

/** The sources of images as Plato names them since it reads them through torchvision: by `dataset_name`. */
export async function torchvision(request: DatasourceRequest): Promise<Datasource> {
  const { dataset_name, dataset_kwargs, download } = parseOptions(
    torchvisionOptions,
    request.options,
    "[data] of Torchvision",
  );
  const hub = hubOf(request);
  const load = await LOADERS[dataset_name]();
  return load({
    ...request,
    options: { ...request.options, ...dataset_kwargs },
    hub: download ? hub : { ...hub, settings: { ...hub.settings, offline: true } },
  });
}

const LOADERS: Readonly<Record<ImageSet, () => Promise<DatasourceFactory>>> = {
  MNIST: async () => (await import("./mnist.js")).mnist,
  FashionMNIST: async () => (await import("./mnist.js")).fashionMnist,
  EMNIST: async () => (await import("./emnist.js")).emnist,
  CIFAR10: async () => (await import("./cifar.js")).cifar10,
  CIFAR100: async () => (await import("./cifar.js")).cifar100,
};
