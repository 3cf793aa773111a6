import type { ErrorObject } from "../../api/errorObject.js";
import { tellReach } from "./reach.js";
import { askForToken, currentToken } from "./token.js";

/** How long a request may take, in milliseconds. */
const DEADLINE = 60_000;

/** What the service, or the way to it, says is wrong. */
export class ServiceProblem extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly faults: readonly string[] = [],
    readonly status = 0,
  ) {
    super(message);
  }

  /** Nobody answers: once somebody does, asking again may go well. */
  get unreachable(): boolean {
    return this.code === "SERVICE_UNREACHABLE";
  }
}

/** What is asked. */
export interface Question {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds; 0 for none, where a reply goes on as long as what it tells. */
  readonly deadline?: number;
}

/**
 * Asks the service that served the page; both come from the same build, so a reply has the type of its route.
 * @throws ServiceProblem
 */
export async function ask<Reply>(path: string, question: Question = {}): Promise<Reply> {
  const response = await request(path, question);
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as Reply;
}

/** The same, for a reply that is read as it comes. */
export async function request(path: string, question: Question = {}): Promise<Response> {
  const { method = "GET", query = {}, body, signal, headers, deadline = DEADLINE } = question;
  const token = currentToken();
  const form = body instanceof FormData;
  const signals = [signal, deadline > 0 ? AbortSignal.timeout(deadline) : undefined];
  let response: Response;
  try {
    response = await fetch(withQuery(path, query), {
      method,
      redirect: "error",
      signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
      headers: {
        ...headers,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !form && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const late = error instanceof DOMException && error.name === "TimeoutError";
    if (!late) tellReach(false);
    const why = late ? `It has not answered within ${DEADLINE / 1000} s.` : "It cannot be reached.";
    throw new ServiceProblem("SERVICE_UNREACHABLE", `${why} Is \`elenchus serve\` still running?`);
  }
  tellReach(true);
  if (response.ok) return response;
  const problem = problemOf(response.status, await response.text());
  if (response.status === 401) askForToken(problem.message);
  throw problem;
}

function problemOf(status: number, text: string): ServiceProblem {
  try {
    const { error, msg } = JSON.parse(text) as Partial<ErrorObject> & { msg?: string };
    if (error !== undefined) {
      return new ServiceProblem(error.code, error.message ?? msg ?? "", error.faults, status);
    }
  } catch {
    // Not the service's own words: a proxy's, for example.
  }
  return new ServiceProblem("SERVICE_INVALID", `The service answers with status ${status}.`, [], status);
}

function withQuery(path: string, query: NonNullable<Question["query"]>): string {
  const entries = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
