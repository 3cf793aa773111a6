import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { batchRoutes, FILE_PURPOSES, type StoredFile } from "../../../api/index.js";
import { ElenchusError } from "../../../base/index.js";
import { isFilePurpose } from "../../files/fileStore.js";
import { answer } from "../answer.js";
import { cursorList } from "../cursorList.js";
import type { ServiceContext } from "../serviceContext.js";

/** Files: what batches read, and what they write. */
export function addFileRoutes(app: FastifyInstance, { files }: ServiceContext): void {
  answer(app, batchRoutes.createFile, async ({ request }) => await upload(request, files));
  answer(app, batchRoutes.listFiles, async ({ query }) =>
    cursorList(
      await files.list({
        limit: query.limit,
        order: query.order ?? "desc",
        ...(query.after && { after: query.after }),
        ...(query.purpose && { purpose: query.purpose }),
      }),
    ),
  );
  answer(app, batchRoutes.getFile, async ({ params }) => files.get(params.file_id));
  answer(app, batchRoutes.fileContent, async ({ params, reply }) => {
    const { bytes } = await files.get(params.file_id);
    const content = Readable.from(files.content(params.file_id), { objectMode: false });
    return reply
      .header("content-type", "application/octet-stream")
      .header("content-length", bytes)
      .header("content-disposition", "attachment")
      .send(content);
  });
  answer(app, batchRoutes.removeFile, async ({ params }) => {
    await files.remove(params.file_id);
    return { id: params.file_id, object: "file" as const, deleted: true };
  });
}

/** The one file of a form. Its purpose may stand before or behind it. */
async function upload(request: FastifyRequest, files: ServiceContext["files"]): Promise<StoredFile> {
  if (!request.isMultipart()) {
    throw new ElenchusError(
      "REQUEST_INVALID",
      "An upload is a form: multipart/form-data with the fields purpose and file.",
    );
  }
  let stored: StoredFile | undefined;
  let purpose: string | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === "field") {
        if (part.fieldname === "purpose") purpose = String(part.value);
        continue;
      }
      // Of its name only the end matters, and that is not a path.
      const filename = part.filename.replace(/^.*[\\/]/, "").slice(0, 200) || "file";
      stored = await files.add(part.file, { filename, purpose: "batch" });
      if (part.file.truncated) throw tooLarge(request);
    }
    if (stored === undefined) throw missing("file");
    if (purpose === undefined) throw missing("purpose");
    if (!isFilePurpose(purpose)) {
      throw new ElenchusError(
        "REQUEST_INVALID",
        `purpose = ${JSON.stringify(purpose.slice(0, 40))}: expected one of ${FILE_PURPOSES.join(", ")}.`,
        { details: { param: "purpose" } },
      );
    }
    return purpose === stored.purpose ? stored : await files.setPurpose(stored.id, purpose);
  } catch (error) {
    if (stored !== undefined) await files.remove(stored.id);
    throw error;
  }
}

function missing(field: string): ElenchusError {
  return new ElenchusError("REQUEST_INVALID", `The form has no ${field}.`, { details: { param: field } });
}

function tooLarge(request: FastifyRequest): ElenchusError {
  return new ElenchusError(
    "LIMIT_EXCEEDED",
    `The file is larger than ${request.server.limits.max_upload_bytes} bytes (service.max_upload_bytes).`,
  );
}
