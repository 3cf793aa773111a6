import type { PlacedInput, RowOutcome, ThreadWork } from "./rowWork.js";

/** Rows that are handed over together. */
export interface Piece {
  readonly work: Work;
  readonly rows: readonly Row[];
  readonly signal: AbortSignal | undefined;
  /** When the row under way was first seen. */
  since: number;
  at: number;
  abandoned: boolean;
  /** Whether a thread that had other pieces before has died before it began: it goes to a fresh one. */
  readonly again: boolean;
}

/** Work that was begun. */
export interface Work {
  readonly id: number;
  readonly make: ThreadWork;
  readonly limits: boolean;
  /** Threads that have rows of it in hand. */
  running: number;
  /** Whether a thread was lost over a row of it. */
  lost: boolean;
  /** Signals that end rows of it. */
  readonly heard: WeakSet<AbortSignal>;
}

/** A row, and whom to tell of it. */
export interface Row {
  readonly input: PlacedInput;
  readonly settle: (outcome: RowOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** Nothing became of its rows. */
export function refuse(piece: Piece, error: unknown): void {
  for (const row of piece.rows) row.fail(error);
}
