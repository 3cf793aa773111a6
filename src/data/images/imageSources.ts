import type { ZodType } from "zod";
import type { DatasourceFactory } from "../datasourceFactory.js";
import { cifar100Options, emnistOptions, imageOptions, torchvisionOptions } from "./imageOptions.js";

/** The sources of images by name, with their descriptions. Naming one loads none of what reads it. */
export const imageSources: readonly [name: string, factory: DatasourceFactory, description: string][] = [
  [
    "MNIST",
    ofImages(imageOptions, async (request) => (await import("./mnist.js")).mnist(request)),
    "70,000 handwritten digits, 28x28, 10 classes",
  ],
  [
    "FashionMNIST",
    ofImages(imageOptions, async (request) => (await import("./mnist.js")).fashionMnist(request)),
    "70,000 articles of clothing, 28x28, 10 classes",
  ],
  [
    "EMNIST",
    ofImages(emnistOptions, async (request) => (await import("./emnist.js")).emnist(request)),
    "Handwritten letters and digits, 28x28, six splits",
  ],
  [
    "CIFAR10",
    ofImages(imageOptions, async (request) => (await import("./cifar.js")).cifar10(request)),
    "60,000 photographs, 32x32 in colour, 10 classes",
  ],
  [
    "CIFAR100",
    ofImages(cifar100Options, async (request) => (await import("./cifar.js")).cifar100(request)),
    "60,000 photographs, 32x32 in colour, 100 classes or 20",
  ],
  [
    "Torchvision",
    ofImages(torchvisionOptions, async (request) => (await import("./torchvision.js")).torchvision(request)),
    "Each of these by dataset_name, as Plato's files have it",
  ],
];

function ofImages(options: ZodType, load: DatasourceFactory): DatasourceFactory {
  const source: DatasourceFactory = (request) => load(request);
  return Object.assign(source, { options, tokens: false });
}
