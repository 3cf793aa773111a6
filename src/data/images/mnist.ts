import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { obtainFile, type SourcePlaces, type WantedFile } from "../files/sourceFile.js";
import { type IdxFacts, idxDatasource } from "./idxDatasource.js";

/** Normalisation of Plato's MNIST and Fashion-MNIST. */
const scale = { mean: [0.1307], deviation: [0.3081] };

/** Handwritten digits (LeCun, Cortes and Burges): 60,000 and 10,000 images of 28x28. */
export function mnist(request: DatasourceRequest): Promise<Datasource> {
  return fourFiles(request, MNIST, {
    name: "MNIST",
    scale,
    classes: 10,
  });
}

/** Articles of clothing (Xiao, Rasul and Vollgraf 2017, arXiv:1708.07747): 60,000 and 10,000 images of 28x28. */
export function fashionMnist(request: DatasourceRequest): Promise<Datasource> {
  return fourFiles(request, FASHION, {
    name: "FashionMNIST",
    scale,
    classes: 10,
    classNames: [
      "T-shirt/top",
      "Trouser",
      "Pullover",
      "Dress",
      "Coat",
      "Sandal",
      "Shirt",
      "Sneaker",
      "Bag",
      "Ankle boot",
    ],
  });
}

/** Where a data set's four files are, and the SHA-256 of each, train before test, images before labels. */
interface FourFiles {
  readonly places: SourcePlaces;
  readonly sha256: readonly [string, string, string, string];
}

const MNIST: FourFiles = {
  places: {
    source: "MNIST",
    folders: ["MNIST/raw", "MNIST"],
    system: ["/usr/share/datasets/mnist"],
    mirrors: [
      "https://ossci-datasets.s3.amazonaws.com/mnist",
      "https://storage.googleapis.com/cvdf-datasets/mnist",
    ],
  },
  sha256: [
    "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
  ],
};

const FASHION: FourFiles = {
  places: {
    source: "FashionMNIST",
    folders: ["FashionMNIST/raw", "FashionMNIST", "fashion-mnist"],
    system: ["/usr/share/datasets/fashion-mnist"],
    mirrors: [
      "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com",
      "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion",
    ],
    hint: "On Debian the package dataset-fashion-mnist has it.",
  },
  sha256: [
    "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
    "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
    "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
    "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
  ],
};

async function fourFiles(request: DatasourceRequest, set: FourFiles, facts: IdxFacts): Promise<Datasource> {
  const obtain = (stem: string, place: 0 | 1 | 2 | 3) => {
    // Some unpackers write a dot where the name has a hyphen.
    const others = [stem, stem.replace("-idx", ".idx")];
    const wanted: WantedFile = { name: `${stem}.gz`, others, sha256: set.sha256[place] };
    return obtainFile(wanted, set.places, request);
  };
  // One after the other: a first one that is not to be had says all.
  const trainImages = await obtain("train-images-idx3-ubyte", 0);
  const trainLabels = await obtain("train-labels-idx1-ubyte", 1);
  const testImages = await obtain("t10k-images-idx3-ubyte", 2);
  const testLabels = await obtain("t10k-labels-idx1-ubyte", 3);
  return idxDatasource({ trainImages, trainLabels, testImages, testLabels }, facts, request);
}
