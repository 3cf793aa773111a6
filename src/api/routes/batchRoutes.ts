import { batchListSchema, batchSchema, createBatchSchema } from "../batches.js";
import { cursorQuerySchema, deletedFileSchema, fileListSchema, fileSchema } from "../files.js";
import { route } from "../route.js";

const group = "batches";

/** Files, and batches of requests in them. */
export const batchRoutes = {
  createFile: route({
    method: "POST",
    path: "/v1/files",
    aliases: ["/v1/openai/v1/files"],
    scope: "write",
    group,
    summary: "Upload a file: a form with `file` and `purpose`",
    upload: true,
    reply: fileSchema,
  }),
  listFiles: route({
    method: "GET",
    path: "/v1/files",
    aliases: ["/v1/openai/v1/files"],
    scope: "read",
    group,
    summary: "Files, the newest first",
    query: cursorQuerySchema,
    reply: fileListSchema,
  }),
  getFile: route({
    method: "GET",
    path: "/v1/files/{file_id}",
    aliases: ["/v1/openai/v1/files/{file_id}"],
    scope: "read",
    group,
    summary: "One file",
    reply: fileSchema,
  }),
  fileContent: route({
    method: "GET",
    path: "/v1/files/{file_id}/content",
    aliases: ["/v1/openai/v1/files/{file_id}/content"],
    scope: "read",
    group,
    summary: "What is in a file",
    media: "application/octet-stream",
  }),
  removeFile: route({
    method: "DELETE",
    path: "/v1/files/{file_id}",
    aliases: ["/v1/openai/v1/files/{file_id}"],
    scope: "write",
    group,
    summary: "Remove a file",
    reply: deletedFileSchema,
  }),
  create: route({
    method: "POST",
    path: "/v1/openai/v1/batches",
    aliases: ["/v1/batches"],
    scope: "run",
    group,
    summary: "Answer every request of a file",
    body: createBatchSchema,
    reply: batchSchema,
  }),
  list: route({
    method: "GET",
    path: "/v1/openai/v1/batches",
    aliases: ["/v1/batches"],
    scope: "read",
    group,
    summary: "Batches, the newest first",
    query: cursorQuerySchema,
    reply: batchListSchema,
  }),
  get: route({
    method: "GET",
    path: "/v1/openai/v1/batches/{batch_id}",
    aliases: ["/v1/batches/{batch_id}"],
    scope: "read",
    group,
    summary: "How far a batch is",
    reply: batchSchema,
  }),
  cancel: route({
    method: "POST",
    path: "/v1/openai/v1/batches/{batch_id}/cancel",
    aliases: ["/v1/batches/{batch_id}/cancel"],
    scope: "run",
    group,
    summary: "Cancel a batch; what was answered is kept",
    reply: batchSchema,
  }),
} as const;
