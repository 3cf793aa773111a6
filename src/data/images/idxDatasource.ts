import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { damaged } from "../files/wholeFile.js";
import type { ByteScale } from "../rows/blockDataset.js";
import { keptDatasource } from "../rows/keptDatasource.js";
import type { StoredRows } from "../rows/rowsFile.js";
import { readIdxImages, readIdxLabels } from "./idxFile.js";

/** Files of images and labels in the format of MNIST, on this machine. */
export interface IdxFiles {
  readonly trainImages: string;
  readonly trainLabels: string;
  readonly testImages: string;
  readonly testLabels: string;
}

/** What is known of a data set in that format. */
export interface IdxFacts {
  readonly name: string;
  readonly scale: ByteScale;
  readonly classes: number;
  /** The label of the first class. Default 0. */
  readonly firstLabel?: number;
  readonly classNames?: readonly string[];
}

/**
 * The data sets of four files in the format of MNIST, inputs [height, width, 1].
 * @throws DATA_INVALID naming the file and byte of what is damaged, or that labels are not as many as images
 */
export function idxDatasource(
  files: IdxFiles,
  facts: IdxFacts,
  request: DatasourceRequest,
): Promise<Datasource> {
  const { trainImages, trainLabels, testImages, testLabels } = files;
  return keptDatasource(
    {
      dataPath: request.dataPath,
      name: facts.name,
      sources: [trainImages, trainLabels, testImages, testLabels],
      key: ["idx", 1, facts],
    },
    async () => ({
      train: await readPart(trainImages, trainLabels, facts),
      test: await readPart(testImages, testLabels, facts),
    }),
  );
}

async function readPart(imageFile: string, labelFile: string, facts: IdxFacts): Promise<StoredRows> {
  const { classes, firstLabel, scale, classNames } = facts;
  const labels = await readIdxLabels(labelFile, classes, firstLabel);
  const { count, height, width, pixels } = await readIdxImages(imageFile);
  if (labels.length !== count) {
    throw damaged(
      labelFile,
      `${labels.length} labels`,
      `one for each of the ${count} images in ${imageFile}`,
      4,
    );
  }
  return {
    numbers: pixels,
    inputShape: [height, width, 1],
    classes,
    labels,
    scale,
    ...(classNames && { classNames }),
  };
}
