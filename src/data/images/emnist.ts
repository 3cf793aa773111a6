import { dirname, join } from "node:path";
import { ElenchusError, parseOptions, writeAtomic } from "../../base/index.js";
import { withZip } from "../../hub/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { findFile, obtainFile, type SourcePlaces } from "../files/sourceFile.js";
import { type IdxFiles, idxDatasource } from "./idxDatasource.js";
import { emnistOptions } from "./imageOptions.js";

/**
 * Handwritten letters and digits (Cohen, Afshar, Tapson and van Schaik 2017, arXiv:1702.05373) in one of six splits,
 * images of 28x28. As published they lie on their side: rows and columns of a pixel are swapped, here too.
 */
export async function emnist(request: DatasourceRequest): Promise<Datasource> {
  const { split } = parseOptions(emnistOptions, request.options, "[data] of EMNIST");
  const files = (await findAll(split, request)) ?? (await unpacked(split, request));
  // Letters alone are counted from 1.
  const firstLabel = split === "letters" ? 1 : 0;
  // Normalisation of Plato's EMNIST.
  const scale = { mean: [0.5], deviation: [0.5] };
  const name = `EMNIST-${split}`;
  return idxDatasource(files, { name, scale, classes: CLASSES[split], firstLabel }, request);
}

const CLASSES = { balanced: 47, byclass: 62, bymerge: 47, letters: 26, digits: 10, mnist: 10 } as const;

const PLACES: SourcePlaces = {
  source: "EMNIST",
  folders: ["EMNIST/raw", "EMNIST", "EMNIST/raw/gzip", "gzip"],
  mirrors: ["https://biometrics.nist.gov/cs_links/EMNIST"],
};
const ARCHIVE = {
  name: "gzip.zip",
  others: ["emnist.zip"],
  sha256: "fb9bb67e33772a9cc0b895e4ecf36d2cf35be8b709693c3564cea2a019fcda8e",
};

function namesOf(split: string): Record<keyof IdxFiles, string> {
  return {
    trainImages: `emnist-${split}-train-images-idx3-ubyte`,
    trainLabels: `emnist-${split}-train-labels-idx1-ubyte`,
    testImages: `emnist-${split}-test-images-idx3-ubyte`,
    testLabels: `emnist-${split}-test-labels-idx1-ubyte`,
  };
}

async function findAll(split: string, request: DatasourceRequest): Promise<IdxFiles | undefined> {
  const found: Partial<Record<keyof IdxFiles, string>> = {};
  for (const [key, stem] of Object.entries(namesOf(split)) as [keyof IdxFiles, string][]) {
    const path = await findFile({ name: `${stem}.gz`, others: [stem] }, PLACES, request);
    if (path === undefined) return undefined;
    found[key] = path;
  }
  return found as IdxFiles;
}

/** The four files out of the one archive that holds all splits, beside which they are kept. */
async function unpacked(split: string, request: DatasourceRequest): Promise<IdxFiles> {
  const archive = await obtainFile(ARCHIVE, PLACES, request);
  const files: Partial<Record<keyof IdxFiles, string>> = {};
  await withZip(archive, async (entries) => {
    for (const [key, stem] of Object.entries(namesOf(split)) as [keyof IdxFiles, string][]) {
      const entry = entries.find(({ name }) => name.split("/").at(-1) === `${stem}.gz`);
      if (entry === undefined) {
        throw new ElenchusError(
          "DATA_INVALID",
          `${archive} has no ${stem}.gz. Expected the archive of EMNIST in the format of MNIST; delete it to fetch it anew.`,
          { details: { path: ["data", "datasource"], file: archive } },
        );
      }
      const path = join(dirname(archive), `${stem}.gz`);
      await writeAtomic(path, await entry.read());
      files[key] = path;
    }
  });
  return files as IdxFiles;
}
