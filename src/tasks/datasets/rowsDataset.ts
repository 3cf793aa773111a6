import { BaseDataset, type DictSample, type RowSource } from "./baseDataset.js";
import type { RowsDatasetDefinition } from "./datasetDefinition.js";
import { renamedRows } from "./renamedRows.js";

/** Rows that are given with the definition. */
export class RowsDataset extends BaseDataset<DictSample> {
  readonly #definition: RowsDatasetDefinition;

  constructor(definition: RowsDatasetDefinition) {
    super(definition.identifier);
    this.#definition = definition;
  }

  protected source(): RowSource<DictSample> {
    const { rows, rename_columns_map: renames } = this.#definition;
    return { rows: () => renamedRows(rows, renames) };
  }
}
