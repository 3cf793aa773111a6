import type { ChatTurn } from "../tokenizers/index.js";
import type { Gold, TaskDocument } from "./document.js";
import type { TaskRequest } from "./request.js";

/** One request of a document, as `elenchus task show` prints it. */
export interface ShownRequest {
  /** Row of the evaluated split. */
  readonly doc: number;
  readonly kind: "loglikelihood" | "rolling" | "generate";
  readonly prompts: readonly (string | readonly ChatTurn[])[];
  /** What is scored behind each prompt; where an answer is generated and compared, what it is compared with. */
  readonly continuations: readonly string[];
  readonly gold: Gold;
  /** Rows of the pool that serve as examples. */
  readonly fewshot: readonly number[];
  readonly stop: readonly string[];
  readonly max_new_tokens: number | null;
}

/** The exact requests of documents, in their order; a document that is asked in two ways gives two. */
export function showDocuments(documents: Iterable<TaskDocument>): ShownRequest[] {
  return [...documents].flatMap((document) => document.requests.map((request) => shown(document, request)));
}

function shown({ doc, gold, fewshot, choices }: TaskDocument, request: TaskRequest): ShownRequest {
  const { prompts } = request;
  const common = { doc, prompts, gold, fewshot };
  switch (request.kind) {
    case "loglikelihood":
      return { ...common, kind: request.kind, continuations: request.continuations, ...ENDLESS };
    case "span":
      return { ...common, kind: "loglikelihood", continuations: [], ...ENDLESS };
    case "rolling":
      return { ...common, kind: request.kind, continuations: [], ...ENDLESS };
    case "generate": {
      const compared =
        typeof gold === "number" ||
        (typeof gold === "object" && gold !== null && gold.every((one) => typeof one === "number"));
      return {
        ...common,
        kind: request.kind,
        continuations: compared ? choices : [],
        stop: request.stop,
        max_new_tokens: request.maxNewTokens,
      };
    }
  }
}

const ENDLESS = { stop: [], max_new_tokens: null } as const;
