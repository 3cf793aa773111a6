import type { Fault } from "../fault.js";

/** Faults of `service`. */
export const service: readonly Fault[] = [
  {
    name: "a token may do what its scopes do not say",
    file: "service/http/guard.ts",
    from: "if (scope !== undefined && allows(request.principal, scope)) return;",
    to: "if (scope !== undefined) return;",
    test: "service/http/access.test.ts",
    only: "lets each token do what its scopes say and no more",
  },
  {
    name: "a web page of another origin asks a service without tokens",
    file: "service/http/guard.ts",
    from: "const foreign = origin !== undefined && hostOf(origin) !== host;",
    to: "const foreign = false;",
    test: "service/http/access.test.ts",
    only: "from a page of another origin",
  },
  {
    name: "the start of rows forgotten without a limit",
    file: "service/http/routes/datasets.ts",
    from: "query.start_index ?? 0",
    to: "asked < 0 ? 0 : (query.start_index ?? 0)",
    test: "service/http/datasets.test.ts",
    only: "of rows are registered, shown, paged and removed",
  },
  {
    name: "params of one call kept for the next",
    file: "service/scoring/scoringFunctions.ts",
    from: "const found = await this.#storage.get(KIND, label);",
    to: "const found = await this.#storage.get(KIND, label); if (found && params) await this.#storage.replace(KIND, label, found.version, { ...found.value, params: { ...(found.value.params as object), ...cleaned(params) } } as JsonObject);",
    test: "service/http/scoring.test.ts",
    only: "do not change what the next call gets",
  },
  {
    name: "an idempotency key that begins two batches",
    file: "service/batches/batchStore.ts",
    from: "if (!created && !isDeepStrictEqual(job.params, params)) {",
    to: "if (false as boolean) {",
    test: "service/http/batches.test.ts",
    only: "is the same for the same idempotency key",
  },
  {
    name: "an end token missing from the log probabilities",
    file: "service/completions/scoredChoice.ts",
    from: 'const chosen = next !== undefined && (chooses || (answer?.finish === "stop" && isEnd));',
    to: "const chosen = next !== undefined && chooses && !isEnd;",
    test: "service/http/inference.test.ts",
    only: "list an end token that was chosen, without text",
  },
];
