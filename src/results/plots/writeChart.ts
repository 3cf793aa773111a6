import { dirname, extname } from "node:path";
import { ElenchusError, makeFolder, messageOf, writeAtomic } from "../../base/index.js";
import { type Chart, renderChart, renderPng } from "./renderChart.js";

/** Whether a chart can be written under this name: it ends in `.svg` or `.png`. */
export function isChartFile(file: string): boolean {
  return [".svg", ".png"].includes(extname(file).toLowerCase());
}

/**
 * Draws a chart into a file, as the end of its name says; one that is there is replaced.
 * @throws USAGE for another end; PATH_UNWRITABLE
 */
export async function writeChart(file: string, chart: Chart): Promise<void> {
  if (!isChartFile(file)) {
    throw new ElenchusError(
      "USAGE",
      `A chart cannot be written to ${file}. Expected a name that ends in .svg or .png.`,
    );
  }
  const svg = await renderChart(chart);
  const content = extname(file).toLowerCase() === ".png" ? await renderPng(svg) : svg;
  try {
    await makeFolder(dirname(file));
    await writeAtomic(file, content);
  } catch (error) {
    throw new ElenchusError(
      "PATH_UNWRITABLE",
      `${file} cannot be written: ${messageOf(error)}. Name another file.`,
      {
        cause: error,
      },
    );
  }
}
