import {
  appendRowsSchema,
  datasetListSchema,
  datasetSchema,
  iterRowsQuerySchema,
  registerDatasetSchema,
  rowPageSchema,
} from "../datasets.js";
import { route } from "../route.js";

const group = "datasets";

/** Llama Stack's data sets; its later versions have them under `/v1beta`. */
export const datasetRoutes = {
  register: route({
    method: "POST",
    path: "/v1/datasets",
    aliases: ["/v1beta/datasets"],
    scope: "write",
    group,
    summary: "Register a data set: an address, or rows",
    body: registerDatasetSchema,
    reply: datasetSchema,
  }),
  list: route({
    method: "GET",
    path: "/v1/datasets",
    aliases: ["/v1beta/datasets"],
    scope: "read",
    group,
    summary: "All data sets",
    reply: datasetListSchema,
  }),
  get: route({
    method: "GET",
    path: "/v1/datasets/{dataset_id:path}",
    aliases: ["/v1beta/datasets/{dataset_id:path}"],
    scope: "read",
    group,
    summary: "One data set",
    reply: datasetSchema,
  }),
  remove: route({
    method: "DELETE",
    path: "/v1/datasets/{dataset_id:path}",
    aliases: ["/v1beta/datasets/{dataset_id:path}"],
    scope: "write",
    group,
    summary: "Forget a data set, and the rows given for it",
  }),
  rows: route({
    method: "GET",
    path: "/v1/datasetio/iterrows/{dataset_id:path}",
    aliases: ["/v1beta/datasetio/iterrows/{dataset_id:path}"],
    scope: "read",
    group,
    summary: "Rows of a data set, page by page",
    query: iterRowsQuerySchema,
    reply: rowPageSchema,
  }),
  append: route({
    method: "POST",
    path: "/v1/datasetio/append-rows/{dataset_id:path}",
    aliases: ["/v1beta/datasetio/append-rows/{dataset_id:path}"],
    scope: "write",
    group,
    summary: "Add rows behind those of a data set",
    body: appendRowsSchema,
  }),
} as const;
