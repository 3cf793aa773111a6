import type { ErrorFacts } from "../../api/index.js";
import { ElenchusError, type ErrorCode, messageOf } from "../../base/index.js";

/** How an error is told: the HTTP status, and what stands in the error object. */
export interface ReplyError {
  readonly status: number;
  readonly facts: ErrorFacts;
}

/** Statuses of codes; others are 400 where the request or its input is at fault (exit status 2), else 500. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  HUB_REFUSED: 403,
  ADDRESS_REFUSED: 403,
  NOT_FOUND: 404,
  NAME_UNKNOWN: 404,
  JOB_UNKNOWN: 404,
  RUN_NOT_FOUND: 404,
  HUB_NOT_FOUND: 404,
  CONFLICT: 409,
  NAME_TAKEN: 409,
  JOB_ENDED: 409,
  RUN_BUSY: 409,
  LIMIT_EXCEEDED: 413,
  INPUT_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  CAPABILITY_MISSING: 501,
  HUB_UNREACHABLE: 502,
  HUB_CORRUPT: 502,
  HUB_INVALID: 502,
  ENDPOINT_UNREACHABLE: 502,
  ENDPOINT_REFUSED: 502,
  ENDPOINT_INVALID: 502,
  INTERRUPTED: 503,
  STORAGE_FAILED: 503,
  QUEUE_FAILED: 503,
  DEADLINE_EXCEEDED: 504,
  // Of the input, although a command that meets them has failed.
  ROW_INVALID: 400,
  SCORING_FAILED: 400,
};

const TYPES: Readonly<Record<number, ErrorFacts["type"]>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  429: "rate_limit_error",
  504: "timeout_error",
};

/** What Fastify finds wrong itself, in the words of the catalogue. */
const FASTIFY: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "LIMIT_EXCEEDED",
  FST_REQ_FILE_TOO_LARGE: "LIMIT_EXCEEDED",
  FST_PARTS_LIMIT: "LIMIT_EXCEEDED",
  FST_FILES_LIMIT: "LIMIT_EXCEEDED",
  FST_FIELDS_LIMIT: "LIMIT_EXCEEDED",
};

/**
 * Tells an error to who asked. Of one that the product does not know itself nothing is told but that it happened: its
 * message may hold what is nobody's business. One that knows what strangers may be told says that.
 */
export function replyErrorOf(thrown: unknown): ReplyError {
  if (thrown instanceof ElenchusError) {
    if (thrown.code === "INTERNAL") return HIDDEN;
    const status = STATUS[thrown.code] ?? (thrown.exitCode === 2 ? 400 : 500);
    const { told } = thrown.details;
    const message = typeof told === "string" ? told : thrown.message;
    return { status, facts: factsOf(status, thrown.code, message, thrown.details) };
  }
  const { statusCode, code } = thrown as { statusCode?: unknown; code?: unknown };
  if (typeof statusCode !== "number" || statusCode < 400 || statusCode > 499) return HIDDEN;
  const known = typeof code === "string" ? FASTIFY[code] : undefined;
  const status = known === "LIMIT_EXCEEDED" ? 413 : statusCode;
  return { status, facts: factsOf(status, known ?? "REQUEST_INVALID", wordsOf(code, thrown), {}) };
}

/** What Fastify says in few words, with what is to be done. */
const WORDS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE:
    "The body is larger than service.max_body_bytes. Send less at a time, or upload a file.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    "A body of this content-type is not taken. Send JSON as application/json, files as multipart/form-data.",
};

function wordsOf(code: unknown, thrown: unknown): string {
  return (typeof code === "string" ? WORDS[code] : undefined) ?? messageOf(thrown);
}

function factsOf(
  status: number,
  code: string,
  message: string,
  { param, faults }: Readonly<Record<string, unknown>>,
): ErrorFacts {
  return {
    code,
    message,
    type: TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error"),
    param: typeof param === "string" ? param : null,
    ...(Array.isArray(faults) && { faults: faults.map(String) }),
  };
}

const HIDDEN: ReplyError = {
  status: 500,
  facts: {
    code: "INTERNAL",
    message: "The service has failed on this request. Its log says why.",
    type: "api_error",
    param: null,
  },
};
