/** Requests of the first piece, when nobody knows how long one takes. */
const FIRST = 16;
/** The most by which a piece may be larger than the one before: short ones tell little of long ones. */
const GROWTH = 8;

/**
 * How many requests are computed between two writes: as many as take about so many seconds by what the last ones took,
 * so that sorting and shared beginnings keep what worth they can.
 */
export class PieceSize {
  #size = FIRST;

  /** @param most of one piece, however fast they are */
  constructor(
    private readonly most: number,
    private readonly seconds: number,
  ) {}

  get size(): number {
    return this.#size;
  }

  /** @param count requests of a piece @param seconds it took */
  took(count: number, seconds: number): void {
    const wanted = seconds > 0 ? Math.floor((count * this.seconds) / seconds) : this.most;
    this.#size = Math.max(1, Math.min(wanted, this.#size * GROWTH, this.most));
  }
}
