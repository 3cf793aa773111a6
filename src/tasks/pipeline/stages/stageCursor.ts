import type { Stage, StageRow, StageStore } from "./stageStore.js";

/** Looks rows of a stage up by ascending index, reading it once and holding one row. */
export class StageCursor {
  readonly #rows: AsyncIterator<StageRow>;
  #next: StageRow | undefined;
  #ended = false;

  constructor(stages: StageStore, stage: Stage) {
    this.#rows = stages.rows(stage)[Symbol.asyncIterator]();
  }

  /** The row; undefined where there is none. Later calls ask for higher indices only. */
  async at(index: number): Promise<unknown> {
    while (!this.#ended && (this.#next === undefined || this.#next.index < index)) {
      const { done, value } = await this.#rows.next();
      if (done) this.#ended = true;
      this.#next = done ? undefined : value;
    }
    return this.#next?.index === index ? this.#next.row : undefined;
  }
}
