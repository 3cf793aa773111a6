import { checkCall, type Expected } from "./checkCall.js";
import type { FunctionDescription, Language } from "./description.js";
import type { FunctionCall } from "./value.js";

/** What a row asks for. */
export interface CallRequest {
  readonly functions: readonly FunctionDescription[];
  /** The calls that are right, each with the values that each of its parameters may have. */
  readonly expected: readonly Expected[];
  readonly language: Language;
  /** What the row's id begins with: `parallel`, `multiple` and others. */
  readonly category: string;
}

/**
 * What is wrong with the calls of an answer; undefined where they are right. In a `parallel` category calls may come in
 * any order; in a `multiple` one there is one call, of one of several functions; else one call of the one function.
 */
export function callsFault(calls: readonly FunctionCall[], request: CallRequest): string | undefined {
  const { functions, expected, language, category } = request;
  if (category.includes("parallel")) return unorderedFault(calls, request);
  const wanted = category.includes("multiple") ? expected.length : 1;
  if (calls.length !== wanted) return `${calls.length} call(s) where ${wanted} are right`;
  const description = category.includes("multiple")
    ? functions.find(({ name }) => name === expected[0]!.name)
    : functions[0];
  if (description === undefined) return `no function ${expected[0]!.name} is described`;
  return checkCall(calls[0]!, description, expected[0]!, language);
}

function unorderedFault(
  calls: readonly FunctionCall[],
  { functions, expected, language }: CallRequest,
): string | undefined {
  if (calls.length !== expected.length) return `${calls.length} call(s) where ${expected.length} are right`;
  const left = [...calls];
  for (const one of expected) {
    const description = functions.find(({ name }) => name === one.name);
    if (description === undefined) return `no function ${one.name} is described`;
    const place = left.findIndex((call) => checkCall(call, description, one, language) === undefined);
    if (place < 0) return `no call is the one of ${one.name} that is expected`;
    left.splice(place, 1);
  }
  return undefined;
}
