import { createRegistry, ElenchusError } from "../base/index.js";
import type { EvaluatorConfig, EvaluatorDeclarations, EvaluatorLike } from "./evaluator.js";
import { kindOf } from "./jsonCopy.js";
import { parseOptions } from "./options.js";
import { describeThrown } from "./thrown.js";

/** A class of evaluators; which configuration it takes is between it and its options schema. */
export interface EvaluatorClass extends EvaluatorDeclarations {
  new (config: never): EvaluatorLike;
}

/** A function that makes an evaluator; declarations may stand on it as properties. */
export interface EvaluatorFunction extends EvaluatorDeclarations {
  (config: EvaluatorConfig): EvaluatorLike | Promise<EvaluatorLike>;
}

export type EvaluatorFactory = EvaluatorClass | EvaluatorFunction;

/** A registered evaluator: its name and what it declares. */
export interface EvaluatorEntry extends EvaluatorDeclarations {
  readonly name: string;
  readonly description: string;
}

/** The evaluators that `[evaluation] type` can name. Names are case sensitive. */
export interface EvaluatorRegistry {
  /**
   * @param factory a class, or a function `(config) => Evaluator` that may return a promise
   * @throws NAME_TAKEN without `replace`; NAME_INVALID; EVALUATION_CONFIG where `factory` is no function
   */
  register(name: string, factory: EvaluatorFactory, options?: { replace?: boolean }): void;
  /** Removes a name; an absent one is no error. */
  unregister(name: string): void;
  /** All names, sorted. */
  registeredNames(): string[];
  has(name: string): boolean;
  /** Names with one line each, sorted by name. */
  list(): { name: string; description: string }[];
  /** Names with all that the evaluators declare, sorted by name: what a configuration is checked against. */
  entries(): EvaluatorEntry[];
  /** What the evaluator of that name declares. @throws NAME_UNKNOWN */
  declarations(name: string): EvaluatorDeclarations;
  /**
   * Makes the evaluator of a table. The factory gets a shallow copy of the table with the parsed options in
   * place. Gives a promise exactly where the factory does.
   * @param config the table; undefined gives undefined
   * @param options `allowMissing`: an unknown name gives undefined
   * @throws EVALUATION_CONFIG for a table without a usable `type`, for options its schema refuses, and for a
   *   factory that makes no evaluator; NAME_UNKNOWN listing the names; whatever the factory throws
   */
  get(
    config?: EvaluatorConfig | null,
    options?: { allowMissing?: boolean },
  ): EvaluatorLike | Promise<EvaluatorLike> | undefined;
}

/** Makes an empty registry of evaluators. */
export function createEvaluatorRegistry(): EvaluatorRegistry {
  const registry = createRegistry<EvaluatorFactory>("evaluator");
  const { unregister, registeredNames, has, lookup, list } = registry;

  return {
    unregister,
    registeredNames,
    has,
    list,
    register(name, factory, { replace = false } = {}) {
      if (typeof factory !== "function") {
        throw new ElenchusError(
          "EVALUATION_CONFIG",
          `The evaluator ${JSON.stringify(name)} was registered with ${kindOf(factory)}: expected a class that extends Evaluator, or a function (config) => Evaluator.`,
        );
      }
      registry.register(name, factory, { replace, description: factory.description ?? "" });
    },
    entries: () =>
      list().map(({ name, description }) => ({ ...declarationsOf(lookup(name)), name, description })),
    declarations: (name) => declarationsOf(lookup(name)),
    get(config, { allowMissing = false } = {}) {
      if (config === undefined || config === null) return undefined;
      const type = typeOf(config);
      if (allowMissing && !has(type)) return undefined;
      const factory = lookup(type);
      const made = make(factory, parseOptions(config, factory.options, type));
      if (!isThenable(made)) return checkEvaluator(made, type);
      return Promise.resolve(made).then((evaluator) => checkEvaluator(evaluator, type));
    },
  };
}

/** The declared members alone, absent ones left out. */
export function declarationsOf(holder: EvaluatorDeclarations): EvaluatorDeclarations {
  const { metrics, options, primaryMetric, description, tokens, heeds } = holder;
  return {
    ...(metrics !== undefined && { metrics }),
    ...(options !== undefined && { options }),
    ...(primaryMetric !== undefined && { primaryMetric }),
    ...(description !== undefined && { description }),
    ...(tokens !== undefined && { tokens }),
    ...(heeds !== undefined && { heeds }),
    ...(holder.prepare !== undefined && {
      prepare: (config, preparation) => holder.prepare!(config, preparation),
    }),
  };
}

function typeOf(config: unknown): string {
  const type: unknown =
    typeof config === "object" && config !== null ? (config as EvaluatorConfig).type : undefined;
  if (typeof type === "string" && type !== "") return type;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `An evaluation table needs a non-empty string as its type, not ${kindOf(type)}: expected the name of a registered evaluator.`,
  );
}

function make(factory: EvaluatorFactory, config: EvaluatorConfig): unknown {
  return isClass(factory) ? new factory(config as never) : factory(config);
}

/** A class cannot be called and a function need not be constructible; only the class syntax or its methods tell. */
function isClass(factory: EvaluatorFactory): factory is EvaluatorClass {
  const prototype: unknown = (factory as { prototype?: unknown }).prototype;
  if (typeof prototype === "object" && prototype !== null && "evaluate" in prototype) return true;
  return /^class\b/.test(Function.prototype.toString.call(factory));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

function checkEvaluator(made: unknown, type: string): EvaluatorLike {
  let fault: string;
  try {
    if (typeof (made as EvaluatorLike | null | undefined)?.evaluate === "function")
      return made as EvaluatorLike;
    fault = kindOf(made);
  } catch (error) {
    fault = `something that cannot be read (${describeThrown(error)})`;
  }
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `The factory of the evaluator "${type}" made ${fault}: expected an object with a method evaluate(request).`,
  );
}
