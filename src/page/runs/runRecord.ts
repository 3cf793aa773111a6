import { useLayoutEffect, useReducer, useState } from "preact/hooks";
import type { Run } from "../../api/runs.js";
import { announce } from "../parts/Announcer.jsx";
import { type Cell, shownCell } from "../parts/numbers.js";
import { ServiceProblem } from "../service/ask.js";
import { follow } from "../service/follow.js";
import { SETTLING, whenBack } from "../service/reach.js";
import { service } from "../service/service.js";

/** Rows of the first reply: what a tall screen shows. */
const FIRST = 40;
/** Rows of a later one. */
const PAGE = 60;

export type Cells = readonly Cell[];

/**
 * A run's rows, by their places in the record: the newest come first, the others when they are looked at, and new
 * ones as they are recorded.
 */
export class RunRecord {
  run: Omit<Run, "rows" | "from"> | undefined;
  problem: Error | undefined;
  /** Rows that came live since the page was opened. */
  arrived = 0;
  readonly #rows = new Map<number, Cells>();
  readonly #asked = new Set<number>();
  readonly #stop = new AbortController();
  readonly #changed: () => void;

  constructor(
    readonly id: string,
    changed: () => void,
  ) {
    this.#changed = changed;
  }

  /** Loads the newest rows, and follows the run while it goes on; anew once a service that went away is back. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    try {
      this.#take(await service.run(this.id, { last: FIRST }, signal));
      if (this.run?.status === "running") await this.#follow();
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error instanceof Error ? error : new Error(String(error));
      this.#changed();
      if (!(error instanceof ServiceProblem && error.unreachable)) return;
      await whenBack(signal);
      if (!signal.aborted) setTimeout(() => void this.start(), SETTLING);
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /** @returns undefined for a row that has not come yet */
  row(place: number): Cells | undefined {
    return this.#rows.get(place);
  }

  /** Loads what is missing of the rows from `from` to before `to`. */
  need(from: number, to: number): void {
    for (let page = Math.floor(Math.max(0, from) / PAGE); page * PAGE < to; page += 1) {
      if (this.#asked.has(page)) continue;
      const places = Array.from({ length: PAGE }, (_, index) => page * PAGE + index);
      const missing = places.some(
        (place) => place >= from && place < to && place < this.total && !this.#rows.has(place),
      );
      if (missing) void this.#load(page);
    }
  }

  get total(): number {
    return this.run?.total ?? 0;
  }

  async #load(page: number): Promise<void> {
    this.#asked.add(page);
    const { signal } = this.#stop;
    try {
      this.#take(await service.run(this.id, { from: page * PAGE, limit: PAGE }, signal));
    } catch (error) {
      if (!signal.aborted) {
        this.problem = error instanceof Error ? error : new Error(String(error));
        this.#changed();
      }
    } finally {
      this.#asked.delete(page);
    }
  }

  #take({ rows, from, ...run }: Run): void {
    const columns = this.run?.columns;
    // Rows of other columns cannot stand beside these.
    if (columns !== undefined && columns.join("\n") !== run.columns.join("\n")) this.#rows.clear();
    for (const [place, row] of rows.entries()) this.#rows.set(from + place, row);
    this.run = { ...run, total: Math.max(run.total, this.total) };
    this.problem = undefined;
    this.#changed();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    const path = `api/runs/${encodeURIComponent(this.id)}/live`;
    for await (const { event, data } of follow(path, { from: this.total, signal })) {
      if (event === "run") {
        const before = this.total;
        this.#take(JSON.parse(data) as Run);
        this.#announce(before);
      } else if (event === "rows") {
        await this.#append(JSON.parse(data) as Pick<Run, "from" | "rows">);
      } else if (event === "end") {
        this.#take(await service.run(this.id, { last: 1 }, signal));
        announce(`The run has ended: ${this.run?.status ?? "unknown"}.`);
      }
    }
  }

  async #append({ from, rows }: Pick<Run, "from" | "rows">): Promise<void> {
    const { run } = this;
    if (run === undefined) return;
    const before = this.total;
    // Between the first reply and the first event a column may have been added.
    if (rows.some((row) => row.length !== run.columns.length)) {
      this.#take(await service.run(this.id, { last: FIRST }, this.#stop.signal));
    } else {
      for (const [place, row] of rows.entries()) this.#rows.set(from + place, row);
      this.run = { ...run, total: Math.max(run.total, from + rows.length) };
      this.#changed();
    }
    this.#announce(before);
  }

  #announce(before: number): void {
    const { run, total } = this;
    const last = this.#rows.get(total - 1);
    if (run === undefined || last === undefined || total <= before) return;
    this.arrived += total - before;
    const told = ["round", "accuracy", "evaluation_primary_value"].flatMap((column) => {
      const at = run.columns.indexOf(column);
      return at < 0 ? [] : [`${column.replaceAll("_", " ")} ${shownCell(last[at])}`];
    });
    announce(`New row: ${told.join(", ")}.`);
  }
}

/** A run's record, live while the view is open. */
export function useRunRecord(id: string): RunRecord {
  const [, changed] = useReducer((count: number, _: undefined) => count + 1, 0);
  const [record] = useState(() => new RunRecord(id, () => changed(undefined)));
  // Not after the first picture: the request is under way while it is drawn.
  useLayoutEffect(() => {
    void record.start();
    return () => record.stop();
  }, [record]);
  return record;
}
