import { z } from "zod";
import { type BatchError, chatRequestSchema, completionRequestSchema } from "../../api/index.js";
import { optionFaults } from "../../base/index.js";

/** The schemas of bodies, by the endpoint that a batch is for. */
const BODIES = {
  "/v1/chat/completions": chatRequestSchema,
  "/v1/completions": completionRequestSchema,
} as const;
export type BatchEndpoint = keyof typeof BODIES;

const lineSchema = z.object({
  custom_id: z.string().min(1),
  method: z.literal("POST"),
  url: z.string(),
  body: z.record(z.string(), z.unknown()),
});

/** A request of a batch. */
export interface BatchRequest {
  readonly customId: string;
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A line of an input file: a request, or what is wrong with it. */
export type BatchLine = { readonly request: BatchRequest } | { readonly faults: readonly BatchError[] };

/** Reads a line. @param line its number, from 1 */
export function readBatchLine(text: string, line: number, endpoint: BatchEndpoint): BatchLine {
  const fault = (code: string, message: string, param: string | null = null): BatchLine => ({
    faults: [{ code, message, line, param }],
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault("invalid_json_line", "This line is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return fault("invalid_request", "A line is a JSON object: custom_id, method, url, body.");
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return { faults: faultsOf(parsed.error, value, line, "") };
  const { custom_id: customId, url, body } = parsed.data;
  if (url !== endpoint) {
    return fault("invalid_url", `url is ${JSON.stringify(url)}; the batch is for ${endpoint}.`, "url");
  }
  if (body.stream === true) {
    return fault("streaming_unsupported", "Answers of a batch cannot be streamed.", "body.stream");
  }
  const checked = BODIES[endpoint].safeParse(body);
  if (!checked.success) return { faults: faultsOf(checked.error, body, line, "body.") };
  return { request: { customId, model: checked.data.model, body } };
}

function faultsOf(error: z.ZodError, value: unknown, line: number, before: string): BatchError[] {
  return error.issues.map((issue) => {
    const param = `${before}${issue.path.join(".")}`;
    const missing = valueAt(value, issue.path) === undefined;
    const [message = issue.message] = optionFaults(
      { issues: [issue] } as unknown as Parameters<typeof optionFaults>[0],
      value,
    );
    return { code: missing ? "missing_required_parameter" : "invalid_request", message, line, param };
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}
