import { z } from "zod";
import type { RegisterScoringFn, ScoringFn, ScoringFunctions, ScoringParams } from "../../api/index.js";
import { ElenchusError, unknownName } from "../../base/index.js";
import { type Scorer, scorers } from "../../scoring/index.js";
import type { JsonObject, Storage, StoredDocument } from "../storage/index.js";

const KIND = "scoring_function";

/** A scoring function as it was registered: a scorer, with params of its own. */
const documentSchema = z.object({
  identifier: z.string(),
  provider_id: z.string(),
  scorer: z.string(),
  description: z.string(),
  return_type: z.looseObject({ type: z.string() }),
  params: z.record(z.string(), z.unknown()),
});

/** A scorer for one call. Plain data: it can be a job's parameter. */
export interface ChosenScorer {
  readonly label: string;
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What judges where a registered function does not say which scorer it stands for. */
const SCORER_OF_TYPE: Readonly<Record<string, string>> = {
  llm_as_judge: "llm-as-judge::base",
  regex_parser: "basic::regex_parser_multiple_choice_answer",
  basic: "basic::equality",
};

/** The scorers of this process, and functions that were registered beside them. */
export class ScoringFunctionStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @throws CONFLICT for a name that is taken; NAME_UNKNOWN for a scorer that there is none of */
  async register(given: RegisterScoringFn): Promise<void> {
    const { scoring_fn_id: identifier, params, provider_scoring_fn_id: named } = given;
    const type = typeof params?.type === "string" ? params.type : "basic";
    const scorer = named ?? SCORER_OF_TYPE[type] ?? "basic::equality";
    scorers.lookup(scorer);
    const document = {
      identifier,
      provider_id: given.provider_id ?? scorer.split("::")[0]!,
      scorer,
      description: given.description,
      return_type: given.return_type,
      params: cleaned(params),
    };
    const taken =
      scorers.has(identifier) ||
      !(await this.#storage.create(KIND, identifier, document as unknown as JsonObject));
    if (taken) throw new ElenchusError("CONFLICT", `Scoring function ${identifier} already exists.`);
  }

  async list(): Promise<ScoringFn[]> {
    const own = (await this.#storage.list(KIND)).map((found) => reply(documentOf(found)));
    return [...scorers.registeredNames().map(scorerReply), ...own];
  }

  /** @throws NOT_FOUND */
  async get(id: string): Promise<ScoringFn> {
    if (scorers.has(id)) return scorerReply(id);
    const found = await this.#storage.get(KIND, id);
    if (found !== undefined) return reply(documentOf(found));
    throw notFound(id);
  }

  /** @throws NOT_FOUND; CONFLICT for a scorer, which is part of the program */
  async remove(id: string): Promise<void> {
    if (scorers.has(id)) {
      throw new ElenchusError("CONFLICT", `${id} is a scorer of the program and cannot be removed.`);
    }
    if (!(await this.#storage.remove(KIND, id))) throw notFound(id);
  }

  /**
   * The scorers of a call. Params of the call are laid over those that were registered, and nothing of them is kept.
   * @throws NAME_UNKNOWN with the nearest name
   */
  async choose(functions: ScoringFunctions): Promise<ChosenScorer[]> {
    const chosen: ChosenScorer[] = [];
    for (const [label, params] of Object.entries(functions)) {
      if (scorers.has(label)) {
        chosen.push({ label, name: label, params: cleaned(params) });
        continue;
      }
      const found = await this.#storage.get(KIND, label);
      if (found === undefined) throw await this.#unknown(label);
      const { scorer, params: own } = documentOf(found);
      chosen.push({ label, name: scorer, params: { ...own, ...cleaned(params) } });
    }
    return chosen;
  }

  async #unknown(id: string): Promise<ElenchusError> {
    const own = (await this.#storage.list(KIND)).map((found) => found.id);
    return unknownName("scoring function", id, [...scorers.registeredNames(), ...own]);
  }
}

/** The scorer of a chosen one, in this process. @throws NAME_UNKNOWN */
export function scorerOf({ label, name, params }: ChosenScorer): {
  label: string;
  scorer: Scorer;
  params: Readonly<Record<string, unknown>>;
} {
  return { label, scorer: scorers.lookup(name), params };
}

/** Fields that are null are fields that were not given. */
function cleaned(params: ScoringParams | null | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params ?? {}).filter(([, value]) => value !== null));
}

function scorerReply(name: string): ScoringFn {
  const { description } = scorers.lookup(name);
  return reply({
    identifier: name,
    provider_id: name.includes("::") ? name.split("::")[0]! : "elenchus",
    scorer: name,
    description,
    return_type: { type: "number" },
    params: {},
  });
}

function reply(document: z.output<typeof documentSchema>): ScoringFn {
  const { identifier, provider_id, scorer, description, return_type, params } = document;
  return {
    identifier,
    provider_id,
    provider_resource_id: scorer,
    type: "scoring_function",
    description,
    metadata: {},
    return_type: return_type as ScoringFn["return_type"],
    params: Object.keys(params).length === 0 ? null : params,
  };
}

function notFound(id: string): ElenchusError {
  return new ElenchusError("NOT_FOUND", `Scoring function ${id} not found.`);
}

function documentOf({ value }: StoredDocument): z.output<typeof documentSchema> {
  return documentSchema.parse(value);
}
