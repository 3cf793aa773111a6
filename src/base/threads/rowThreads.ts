import type { ElenchusError } from "../errors.js";
import { type Logger, silentLogger } from "../logger.js";
import { nextPiece } from "./nextPiece.js";
import { type Piece, type Row, refuse, type Work } from "./piece.js";
import { diedAt, late, notStarted, type RowLimits, stopped, thrownThere, tooLarge } from "./rowErrors.js";
import { RowThread } from "./rowThread.js";
import type { FromThread, PlacedInput, RowOutcome, ThreadWork } from "./rowWork.js";
import { textLength } from "./textLength.js";

/** How many threads there are, and how much a row may ask of them. */
export interface RowThreadsOptions extends RowLimits {
  /** Most threads at once. They are started when they are needed. */
  readonly threads: number;
  /** Megabytes that one thread may hold. Default 1024. */
  readonly memory?: number | undefined;
  readonly logger?: Logger | undefined;
}

/** Rows of one work, done in threads. */
export interface RowsInThreads {
  /**
   * Hands over rows. They are done in any order and perhaps by several threads.
   * @returns for each row what became of it, which is never rejected but for the signal's reason, for work that cannot
   *   be made (NAME_UNKNOWN and others of its own) and for threads that do not start (WORKER_DIED, WORKER_TIMEOUT)
   */
  do(rows: readonly PlacedInput[], signal?: AbortSignal): Promise<RowOutcome>[];
  /** No more rows come. */
  end(): void;
}

/** Seconds from the start of a thread, users' modules and all, until it must have begun a row. */
const START = 60;
/** Seconds that a row goes on, when nobody waits for it any more, before its thread is ended. */
const GRACE = 0.5;

/**
 * Threads that do work on rows, so that a row which takes long holds up nobody but itself. A row over its deadline is an
 * error, its thread is ended and another started in its place; the other rows are kept. Works take turns, and one that
 * has lost a thread gets one thread at a time, so that the others go on.
 */
export class RowThreads {
  readonly #options: RowThreadsOptions;
  readonly #logger: Logger;
  readonly #threads = new Map<RowThread, Piece | undefined>();
  #waiting: Piece[] = [];
  #works = 0;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: RowThreadsOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Threads that work at once, at most. */
  get most(): number {
    return this.#options.threads;
  }

  /**
   * Begins work.
   * @param limits whether rows have a deadline and a size; default true. Of work without, one piece at a time is done,
   *   and of all such work never so many that no thread is left for rows with limits
   */
  begin(make: ThreadWork, limits = true): RowsInThreads {
    const own: Work = { id: this.#works++, make, limits, running: 0, lost: false, heard: new WeakSet() };
    return {
      do: (rows, signal) => this.#do(own, rows, signal),
      end: () => {
        for (const thread of this.#threads.keys()) thread.forget(own.id);
      },
    };
  }

  /** Ends all threads; rows that wait are rejected with INTERRUPTED. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    this.#watch = undefined;
    const running = [...this.#threads.values()].filter((piece) => piece !== undefined);
    const waiting = [...this.#waiting, ...running];
    const threads = [...this.#threads.keys()];
    this.#waiting = [];
    this.#threads.clear();
    for (const piece of waiting) refuse(piece, stopped());
    await Promise.all(threads.map((thread) => thread.end()));
  }

  #do(work: Work, rows: readonly PlacedInput[], signal: AbortSignal | undefined): Promise<RowOutcome>[] {
    const taken: Row[] = [];
    const promises = rows.map((input) => {
      const refused = work.limits ? this.#tooLarge(input.row) : undefined;
      if (refused !== undefined) return Promise.resolve(refused);
      return new Promise<RowOutcome>((settle, fail) => taken.push({ input, settle, fail }));
    });
    // Whoever waits for the first hears of all; the others must not be unhandled.
    for (const promise of promises) promise.catch(() => {});
    if (taken.length === 0) return promises;
    const piece: Piece = { work, rows: taken, signal, since: 0, at: -1, abandoned: false, again: false };
    if (this.#closed) refuse(piece, stopped());
    else if (signal?.aborted) refuse(piece, signal.reason);
    else {
      if (signal !== undefined && !work.heard.has(signal)) {
        work.heard.add(signal);
        signal.addEventListener("abort", () => this.#abandon(work, signal), { once: true });
      }
      this.#waiting.push(piece);
      this.#deal();
    }
    return promises;
  }

  /** Gives what waits to threads that have nothing in hand. */
  #deal(): void {
    while (!this.#closed) {
      const busy = [...this.#threads.values()].filter((piece) => piece !== undefined);
      const at = nextPiece(this.#waiting, busy, Math.max(1, this.#options.threads));
      if (at < 0) return;
      const [piece] = this.#waiting.splice(at, 1);
      this.#hand(piece!.again ? this.#fresh() : this.#idle(), piece!);
    }
  }

  /** A thread that has nothing in hand. */
  #idle(): RowThread {
    for (const [thread, piece] of this.#threads) if (piece === undefined) return thread;
    return this.#start();
  }

  /** A thread that has done nothing yet, in the place of one that has nothing in hand. */
  #fresh(): RowThread {
    for (const [thread, piece] of this.#threads) {
      if (piece !== undefined) continue;
      this.#threads.delete(thread);
      void thread.end();
      break;
    }
    return this.#start();
  }

  #start(): RowThread {
    const thread: RowThread = new RowThread(this.#options.memory ?? 1024, this.#logger, {
      answered: (answer) => this.#answered(thread, answer),
      gone: (at, why) => this.#gone(thread, at, diedAt(why)),
    });
    this.#threads.set(thread, undefined);
    return thread;
  }

  #hand(thread: RowThread, piece: Piece): void {
    try {
      const { id, make } = piece.work;
      thread.hand({ work: id, make, rows: piece.rows.map(({ input }) => input) });
    } catch (error) {
      // One row that cannot be sent must not take the others with it.
      if (piece.rows.length === 1) piece.rows[0]!.settle({ error: { message: String(error) } });
      else for (const row of piece.rows) this.#waiting.push({ ...piece, rows: [row] });
      return;
    }
    piece.since = performance.now();
    piece.at = -1;
    piece.work.running += 1;
    this.#threads.set(thread, piece);
    this.#watch ??= setInterval(() => this.#look(), Math.min(250, this.#options.deadline * 250));
    this.#watch.unref();
  }

  #answered(thread: RowThread, answer: FromThread): void {
    const piece = this.#release(thread);
    if (piece !== undefined) {
      if ("unmade" in answer) refuse(piece, thrownThere(answer.unmade));
      else {
        answer.outcomes.forEach((outcome, at) => void piece.rows[at]!.settle(outcome));
        const rows = piece.rows.slice(answer.outcomes.length);
        if (rows.length > 0 && !piece.abandoned) this.#waiting.push({ ...piece, rows, again: false });
      }
    }
    this.#deal();
  }

  /**
   * The row in hand is lost with the thread; those before it were not told yet, and are done again. A thread that had
   * not begun may have died of what an earlier piece left behind: only one that had none before speaks against its own.
   */
  #gone(thread: RowThread, at: number, error: (row: boolean) => ElenchusError): void {
    const piece = this.#release(thread);
    this.#threads.delete(thread);
    if (piece !== undefined && !piece.abandoned) {
      if (at < 0 && thread.hasAnswered && !piece.again) this.#waiting.unshift({ ...piece, again: true });
      else if (at < 0) refuse(piece, error(false));
      else {
        const { code, message } = error(true);
        piece.rows[at]!.settle({ error: { code, message } });
        piece.work.lost = true;
        const rest = piece.rows.filter((_, place) => place !== at);
        if (rest.length > 0) this.#waiting.unshift({ ...piece, rows: rest, again: false });
      }
    }
    this.#deal();
  }

  /** Ends threads whose row takes too long, and those that work for nobody. */
  #look(): void {
    const now = performance.now();
    for (const [thread, piece] of this.#threads) {
      if (piece === undefined) continue;
      const { place } = thread;
      if (place !== piece.at && !piece.abandoned) {
        piece.at = place;
        piece.since = now;
        continue;
      }
      if (now - piece.since < this.#patience(piece) * 1000) continue;
      void thread.end();
      this.#gone(thread, place, (row) => (row ? late(this.#options) : notStarted(START)));
    }
    if ([...this.#threads.values()].every((piece) => piece === undefined)) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
  }

  /** Seconds that the row under way may still take from when it was first seen. */
  #patience({ abandoned, at, work }: Piece): number {
    if (abandoned) return GRACE;
    if (at < 0) return START;
    return work.limits ? this.#options.deadline : Number.POSITIVE_INFINITY;
  }

  /** Nobody waits for the rows of a work any more. */
  #abandon(work: Work, signal: AbortSignal): void {
    const belongs = (piece: Piece) => piece.work === work && piece.signal === signal;
    for (const piece of this.#waiting) if (belongs(piece)) refuse(piece, signal.reason);
    this.#waiting = this.#waiting.filter((piece) => !belongs(piece));
    for (const piece of this.#threads.values()) {
      if (piece === undefined || !belongs(piece) || piece.abandoned) continue;
      piece.abandoned = true;
      piece.since = performance.now();
      refuse(piece, signal.reason);
    }
  }

  #release(thread: RowThread): Piece | undefined {
    const piece = this.#threads.get(thread);
    this.#threads.set(thread, undefined);
    if (piece !== undefined) piece.work.running -= 1;
    return piece;
  }

  #tooLarge(row: unknown): RowOutcome | undefined {
    const { maxCharacters } = this.#options;
    if (maxCharacters === undefined) return undefined;
    const length = textLength(row, maxCharacters);
    if (length <= maxCharacters) return undefined;
    const { code, message } = tooLarge(this.#options);
    return { error: { code, message } };
  }
}
