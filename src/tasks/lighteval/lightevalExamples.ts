import { compareCodePoints, PythonRandom } from "../../base/index.js";
import { tooFewExamples } from "../harness/harnessExamples.js";
import type { ExampleSelection, LightevalRecord, PlacedRecord } from "./lightevalSpec.js";

/** How examples are chosen. */
export interface SelectionRules {
  readonly select: ExampleSelection;
  readonly shots: number;
  /** Which of several choices of examples; 0 is the usual one. */
  readonly seed: number;
  /** The generator that has shuffled the documents. */
  readonly random: PythonRandom;
}

/**
 * Chooses examples for one document after the other. No way of choosing leaves out the document itself: where the
 * pool is what is evaluated, it may be its own example, as in lighteval.
 */
export function lightevalExamples(
  pool: readonly PlacedRecord[],
  { select, shots, seed, random }: SelectionRules,
): () => readonly PlacedRecord[] {
  if (shots === 0) return () => [];
  if (select === "random_sampling" || select === "random_sampling_from_train") {
    const drawn = select === "random_sampling" ? shots + 1 : shots;
    if (drawn > pool.length) throw tooFewExamples(drawn, pool.length);
    return () => random.sample(pool, drawn).slice(0, shots);
  }
  const fixed = { balanced, sequential, random: shuffled }[select](pool, shots, seed).slice(0, shots);
  return () => fixed;
}

/**
 * One of each class in turn, larger classes first, classes of one size in an order that is shuffled. A class is the
 * text of the right choice; a class with an empty name ends the search.
 */
function balanced(pool: readonly PlacedRecord[], shots: number, seed: number): PlacedRecord[] {
  const random = new PythonRandom(seed);
  const byClass = new Map<string, PlacedRecord[]>();
  for (const placed of pool) {
    const name = classOf(placed.record);
    const members = byClass.get(name);
    if (members === undefined) byClass.set(name, [placed]);
    else members.push(placed);
  }
  const sorted = [...byClass.keys()].sort(compareCodePoints);
  const sizeOf = (name: string) => byClass.get(name)!.length;
  const sizes = [...new Set(sorted.map(sizeOf))].sort((one, other) => other - one);
  const names = sizes.flatMap((size) => random.shuffle(sorted.filter((name) => sizeOf(name) === size)));

  const chosen: PlacedRecord[] = [];
  const wanted = Math.min(pool.length, shots + 1);
  for (let turn = 0; chosen.length < wanted; turn++) {
    const name = names[turn % names.length]!;
    if (name === "") break;
    const members = byClass.get(name)!;
    if (members.length > 0) chosen.push(...members.splice(random.randrange(members.length), 1));
  }
  return chosen;
}

function classOf({ sortingClass, gold, choices }: LightevalRecord): string {
  const [first = 0] = typeof gold === "number" ? [gold] : gold;
  return sortingClass || (choices.at(first) ?? "");
}

/** The pool as it stands, begun further on with each seed. */
function sequential(pool: readonly PlacedRecord[], shots: number, seed: number): PlacedRecord[] {
  const start = pool.length === 0 ? 0 : (shots * seed) % pool.length;
  return [...pool.slice(start), ...pool.slice(0, start)];
}

/** The pool as it stands for seed 0, else shuffled. */
function shuffled(pool: readonly PlacedRecord[], _: number, seed: number): PlacedRecord[] {
  return seed === 0 ? [...pool] : new PythonRandom(seed).shuffle([...pool]);
}
