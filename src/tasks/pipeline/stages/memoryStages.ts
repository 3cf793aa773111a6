import type { Stage, StageRow, StageStore } from "./stageStore.js";

/** Stages that are kept in memory: gone with the process. */
export class MemoryStages implements StageStore {
  readonly #stages = new Map<Stage, Map<number, unknown>>();

  has(stage: Stage, index: number): boolean {
    return this.#stages.get(stage)?.has(index) ?? false;
  }

  async append(stage: Stage, index: number, row: unknown): Promise<void> {
    const rows = this.#stages.get(stage) ?? new Map<number, unknown>();
    this.#stages.set(stage, rows);
    // A copy, as of a store that writes: what becomes of the object afterwards is not kept.
    if (!rows.has(index)) rows.set(index, JSON.parse(JSON.stringify(row)));
  }

  async *rows(stage: Stage): AsyncGenerator<StageRow> {
    const rows = this.#stages.get(stage);
    for (const index of [...(rows?.keys() ?? [])].sort((one, other) => one - other)) {
      yield { index, row: rows!.get(index) };
    }
  }
}
