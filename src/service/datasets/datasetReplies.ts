import type { DataSource, Dataset, DatasetDef, Row } from "../../api/index.js";
import type { DatasetDocument } from "./datasetDocument.js";

/** Of rows that were given, how many a reply about the data set itself shows. */
export const SHOWN_ROWS = 100;

/** A data set as `/v1` shows it. @param rows the first of those that were given */
export function datasetReply(document: DatasetDocument, rows: readonly Row[]): Dataset {
  return {
    identifier: document.identifier,
    provider_id: document.provider_id,
    provider_resource_id: document.identifier,
    type: "dataset",
    purpose: document.purpose,
    source: sourceOf(document, rows),
    metadata: document.metadata,
  };
}

/** The same as a definition. */
export function datasetDefinition({ definition, identifier }: DatasetDocument): DatasetDef {
  switch (definition.type) {
    case "custom":
      return {
        type: "custom",
        identifier,
        url: definition.url,
        rename_columns_map: definition.rename_columns_map,
      };
    case "huggingface":
      return {
        type: "huggingface",
        identifier,
        dataset_path: definition.dataset_path,
        dataset_name: definition.dataset_name ?? null,
        rename_columns_map: definition.rename_columns_map,
        kwargs: definition.kwargs,
      };
    case "rows":
      // Where its rows are to be had, for want of an address of their own.
      return { type: "custom", identifier, url: `rows:${identifier}`, rename_columns_map: {} };
  }
}

function sourceOf({ definition, uri }: DatasetDocument, rows: readonly Row[]): DataSource {
  if (definition.type === "rows") return { type: "rows", rows: [...rows] };
  if (uri !== null) return { type: "uri", uri };
  if (definition.type === "custom") return { type: "uri", uri: definition.url };
  const { split, name, revision } = definition.kwargs;
  const query = new URLSearchParams({ split });
  const config = definition.dataset_name ?? name;
  if (config !== undefined) query.set("name", config);
  if (revision !== undefined) query.set("revision", revision);
  return { type: "uri", uri: `huggingface://datasets/${definition.dataset_path}?${query}` };
}
