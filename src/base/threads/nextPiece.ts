import type { Piece } from "./piece.js";

/**
 * Whose turn it is. There is one thread more than the most, so that works without limits and those with have one each
 * while both are few.
 * @param busy what threads have in hand
 * @param most threads for rows with limits, at least 1
 * @returns the place of the first waiting piece that a thread may take, -1 for none
 */
export function nextPiece(waiting: readonly Piece[], busy: readonly Piece[], most: number): number {
  const limited = busy.filter(({ work }) => work.limits).length;
  const left = busy.length < most + 1;
  // However long the others take, one goes on.
  const mayLimited = limited < most && (left || limited === 0);
  // Two at least, so that a long one does not hold up all short ones.
  const mayUnlimited = busy.length - limited < Math.max(2, most) && left;
  return waiting.findIndex(({ work }) =>
    work.limits ? mayLimited && (!work.lost || work.running === 0) : mayUnlimited && work.running === 0,
  );
}
