import type { Fault } from "../fault.js";

/** Faults of how language models are asked: rows that branch, caches, batches, streams. */
export const inference: readonly Fault[] = [
  {
    name: "branches that see each other",
    file: "models/causal/mask.ts",
    from: "mask.fill(UNSEEN, at + before, at + keys.each);",
    to: "mask.fill(UNSEEN, at + before + query + 1, at + keys.each);",
    test: "models/causalModels.test.ts",
    only: "reads a row that branches as it reads its texts",
  },
  {
    name: "place of a branch counted by the row",
    file: "models/causal/forwardPass.ts",
    from: ": places[at - index + parent]! + 1;",
    to: ": lengths[row]! + index;",
    test: "models/causalModels.test.ts",
    only: "reads a row that branches as it reads its texts",
  },
  {
    name: "joined cache with padding behind",
    file: "models/causal/keyValueCache.ts",
    from: "positions.set(own, end - content.slots);",
    to: "positions.set(own, end - slots);",
    test: "models/causalModels.test.ts",
    only: "goes on with the rows of several caches",
  },
  {
    name: "shared token scored once per choice",
    file: "language/passes/tokenPieces.ts",
    from: "new Map(reads ? parent.readers : []);",
    to: "new Map(parent.readers);",
    test: "language/tokenPieces.test.ts",
    only: "asks for every token's probability once",
  },
  {
    name: "prompts that wait for the whole batch",
    file: "language/passes/generateRows.ts",
    from: "active.length === 0 || free >=",
    to: "active.length === 0 && free >=",
    test: "language/tfLanguageModel.test.ts",
    only: "takes up a prompt that waits when an answer has ended",
  },
  {
    name: "stream told twice",
    file: "language/endpoint/endpointLanguageModel.ts",
    from: "if (text.length <= told.length) return;",
    to: "",
    test: "language/endpointStream.test.ts",
    only: "is asked again where it is ended too early, and told once",
  },
  {
    name: "scores of another token than was asked for",
    file: "language/endpoint/echoedScores.ts",
    from: "if (echoed.token_logprobs.length > tokens + 1) {",
    to: "if (echoed.token_logprobs.length > tokens + 2) {",
    test: "language/endpoint.test.ts",
    only: "says so where it reads more tokens than it was given",
  },
];
