import { ElenchusError, nearest } from "../base/index.js";
import type { Model } from "./model.js";
import { namePatterns } from "./namePatterns.js";

/**
 * Lets only some of a model's weights train and travel, and freezes all others.
 * @param patterns `trainer.trainable`
 * @throws CONFIG_INVALID for a pattern that fits no weight, or patterns that choose none; CAPABILITY_MISSING for a
 *   model that cannot freeze weights
 */
export function restrictTraining(model: Model, patterns: readonly string[]): void {
  if (!model.freeze) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `trainer.trainable = ${JSON.stringify(patterns)}, but the model ${model.name} has no way to freeze weights: it needs a method \`freeze\`.`,
    );
  }
  const names: string[] = [];
  // Asks for every name and freezes none: reading the weights would copy them.
  model.freeze((name) => names.push(name) > 0);
  model.freeze(
    chosenWeights(patterns, { model: model.name, names, trains: (name) => model.variables.has(name) }),
  );
}

/** A model whose weights are chosen among; it need not be built. */
export interface NamedWeights {
  /** As messages name it. */
  readonly model: string;
  readonly names: readonly string[];
  /** Whether a weight is one that trains, and no running statistic. */
  readonly trains: (name: string) => boolean;
}

/**
 * Which weights patterns choose.
 * @param patterns `trainer.trainable`
 * @throws CONFIG_INVALID for a pattern that fits no weight, or patterns that choose none
 */
export function chosenWeights(
  patterns: readonly string[],
  { model, names, trains }: NamedWeights,
): (name: string) => boolean {
  const { chooses, without } = namePatterns(patterns);
  const [stray] = without(names);
  if (stray !== undefined) throw fitsNothing(stray, model, names);
  if (names.some((name) => chooses(name) && trains(name))) return chooses;
  throw new ElenchusError(
    "CONFIG_INVALID",
    `trainer.trainable = ${JSON.stringify(patterns)} leaves no weight of ${model} that trains.`,
    { details: { path: TRAINABLE } },
  );
}

const TRAINABLE = ["trainer", "trainable"];

/** How many names a message shows. */
const SHOWN = 6;

function fitsNothing(pattern: string, model: string, names: readonly string[]): ElenchusError {
  return new ElenchusError(
    "CONFIG_INVALID",
    `trainer.trainable: the pattern ${JSON.stringify(pattern)} fits no weight of ${model}. Near it: ${near(pattern, names).join(", ")}. Expected a weight's name or a module's, with * for any characters.`,
    { details: { pattern, model, path: TRAINABLE } },
  );
}

/** Names and modules that are nearest to a pattern, then those that stand first. */
function near(pattern: string, names: readonly string[]): string[] {
  const wanted = pattern.replace(/^!/, "");
  const known = new Set(names.flatMap(withModules));
  const found = new Set<string>();
  while (found.size < SHOWN) {
    const next =
      nearest(
        wanted,
        [...known].filter((name) => !found.has(name)),
      ) ?? names.find((name) => !found.has(name));
    if (next === undefined) break;
    found.add(next);
  }
  return [...found];
}

/** `a.b.weight`, `a.b` and `a`, and their parts between dots. */
function withModules(name: string): string[] {
  const parts = name.split(".");
  return [...parts.map((_, end) => parts.slice(0, end + 1).join(".")), ...parts];
}
