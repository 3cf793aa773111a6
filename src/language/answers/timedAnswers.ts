import type { AnswerFile } from "./answerFile.js";

/** A request and what was answered. */
export type AnsweredRequest = readonly [request: unknown, answer: unknown];

/** Writes answers that come one by one, those of a few seconds together: a process may be killed at any time. */
export class TimedAnswers {
  #waiting: AnsweredRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  /** @param seconds that an answer waits at most */
  constructor(
    private readonly file: AnswerFile,
    private readonly seconds: number,
  ) {}

  add(answered: AnsweredRequest): void {
    this.#waiting.push(answered);
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#write(), this.seconds * 1000);
    this.#timer.unref();
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    this.#write();
    await this.#written;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    // One after the other: each goes on behind the last line.
    this.#written = this.#written.then(() => this.file.add(waiting));
  }
}
