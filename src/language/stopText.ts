/** Watches a growing text for stop texts, wherever its pieces are cut. */
export interface StopText {
  /** Whether a stop text has been found: what comes after it is not taken. */
  readonly found: boolean;
  /** What of the text is certain not to be part of a stop text. */
  push(piece: string): string;
  /** The rest, when no more comes. */
  end(): string;
}

/** @param stops texts that end a text and are cut off; the one that begins first counts */
export function watchStops(stops: readonly string[]): StopText {
  const watched = stops.filter((stop) => stop !== "");
  let found = false;
  let held = "";
  return {
    get found() {
      return found;
    },
    push(piece) {
      if (found) return "";
      held += piece;
      const begins = watched.map((stop) => held.indexOf(stop)).filter((at) => at >= 0);
      // One that may still be completed begins before one that is complete: which counts is not known yet.
      const open = openPlace(held, watched);
      const first = Math.min(...begins);
      if (begins.length > 0 && first <= open) {
        found = true;
        return take(first, "");
      }
      return take(Math.min(open, first), held.slice(Math.min(open, first)));
    },
    end() {
      if (found) return "";
      const begins = watched.map((stop) => held.indexOf(stop)).filter((at) => at >= 0);
      found = begins.length > 0;
      return take(found ? Math.min(...begins) : held.length, "");
    },
  };

  function take(length: number, rest: string): string {
    const text = held.slice(0, length);
    held = rest;
    return text;
  }
}

/** Where the text's longest end begins that is the beginning of a stop text; its length where there is none. */
function openPlace(text: string, stops: readonly string[]): number {
  const longest = stops.reduce((most, stop) => Math.max(most, stop.length), 0);
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const rest = text.slice(at);
    if (stops.some((stop) => stop.length > rest.length && stop.startsWith(rest))) return at;
  }
  return text.length;
}
