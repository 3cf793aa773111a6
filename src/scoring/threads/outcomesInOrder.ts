import { setImmediate } from "node:timers/promises";
import {
  isOnlyHere,
  type PlacedInput,
  type RowOutcome,
  type RowsInThreads,
  textLength,
} from "../../base/index.js";
import type { RowScore, ScorerRow } from "../scorer.js";
import { PatientSource } from "./patientSource.js";

/** A row, and what became of it. */
export interface RowWithOutcome {
  readonly row: ScorerRow;
  readonly index: number;
  readonly outcome: RowOutcome | { readonly known: RowScore } | { readonly unmade: Error };
}

/** Most rows that are sent together. */
const PIECE = 128;
/** Most rows, and most characters in them, that are out at a time: enough that no thread waits for the next piece. */
const OUT = 1024;
const CHARACTERS_OUT = 2 ** 24;

/**
 * Has rows judged in threads, and yields what became of them in their order, each as soon as it and all before it are
 * there, however long the source takes. Pieces grow from one row on, so that the first is not waited for and many cost
 * little; rows that the source lets wait are sent as they are.
 * @throws what the source throws, in its place in the order; the signal's reason; as `RowsInThreads.do`
 */
export async function* outcomesInOrder(
  source: Iterable<ScorerRow> | AsyncIterable<ScorerRow>,
  rows: RowsInThreads,
  { known, signal }: { known: (place: number) => RowScore | undefined; signal: AbortSignal | undefined },
): AsyncGenerator<RowWithOutcome> {
  // Ends what is under way also where nobody reads on.
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const out: { readonly found: Promise<RowWithOutcome>; readonly characters: number }[] = [];
  let charactersOut = 0;
  let piece: PlacedInput[] = [];
  let size = 1;
  let next = 0;
  const waiting: ((outcome: Promise<RowOutcome>) => void)[] = [];
  const send = () => {
    if (piece.length === 0) return;
    rows.do(piece, either).forEach((outcome, place) => void waiting[place]!(outcome));
    piece = [];
    waiting.length = 0;
    size = Math.min(PIECE, size * 2);
  };
  const add = (row: ScorerRow) => {
    const index = next++;
    const before = known(index);
    if (before !== undefined) {
      out.push({ found: Promise.resolve({ row, index, outcome: { known: before } }), characters: 0 });
      return;
    }
    piece.push({ row, index });
    const outcome = new Promise<RowOutcome>((settle) => waiting.push(settle));
    const found = outcome.then(
      (settled) => ({ row, index, outcome: settled }),
      (error: unknown) => {
        if (!isOnlyHere(error)) throw error;
        return { row, index, outcome: { unmade: error } };
      },
    );
    found.catch(() => {});
    const characters = textLength(row);
    charactersOut += characters;
    out.push({ found, characters });
    if (piece.length >= size) send();
  };
  const first = () => {
    const { found, characters } = out.shift()!;
    charactersOut -= characters;
    return found;
  };
  const patient = new PatientSource(source);
  const turn = turns();
  let slow = false;
  try {
    for (;;) {
      const arrival = await patient.next(slow ? out[0]?.found : turn());
      if (arrival === undefined) {
        send();
        if (slow) yield await first();
        slow = true;
        continue;
      }
      slow = false;
      if ("over" in arrival) {
        send();
        while (out.length > 0) yield await first();
        if (arrival.failed !== undefined) throw arrival.failed.error;
        return;
      }
      add(arrival.item);
      // What waits for a turn is let go by one only.
      if (next % OUT === 0) await turn();
      while (out.length >= OUT || charactersOut > CHARACTERS_OUT) {
        send();
        yield await first();
      }
    }
  } finally {
    stop.abort(new Error("the rows are read no further"));
    rows.end();
    await patient.end();
  }
}

/** Tells when all that was at once ready has had its turn. */
function turns(): () => Promise<unknown> {
  let under: Promise<unknown> | undefined;
  return () => {
    under ??= setImmediate().then(() => {
      under = undefined;
    });
    return under;
  };
}
