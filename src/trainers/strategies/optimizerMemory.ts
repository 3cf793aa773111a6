import type { Optimizer, OptimizerMemory } from "../../algorithms/index.js";
import { ElenchusError } from "../../base/index.js";
import type { WeightArray } from "../../weights/index.js";

/**
 * What an optimizer remembers.
 * @throws CAPABILITY_MISSING where it cannot say
 */
export function memoryOf(optimizer: Optimizer): OptimizerMemory {
  if (optimizer.remembered !== undefined && optimizer.recall !== undefined) return optimizer.remembered();
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    "trainer.preserve_optimizer_state = true: this optimizer cannot say what it remembers. Set it to false, or give the optimizer `remembered` and `recall`.",
  );
}

/** What several optimizers remember, as one. They make their steps together. */
export function joinedMemory(optimizers: readonly Optimizer[]): OptimizerMemory {
  const arrays = new Map<string, WeightArray>();
  let steps = 0;
  for (const [place, optimizer] of optimizers.entries()) {
    const memory = memoryOf(optimizer);
    steps = Math.max(steps, memory.steps);
    for (const [name, array] of memory.arrays) arrays.set(`${place} ${name}`, array);
  }
  return { steps, arrays };
}

/** Gives each of several optimizers its part back. */
export function recallJoined(optimizers: readonly Optimizer[], { steps, arrays }: OptimizerMemory): void {
  for (const [place, optimizer] of optimizers.entries()) {
    const prefix = `${place} `;
    const own = [...arrays].filter(([name]) => name.startsWith(prefix));
    optimizer.recall?.({
      steps,
      arrays: new Map(own.map(([name, array]) => [name.slice(prefix.length), array])),
    });
  }
}
