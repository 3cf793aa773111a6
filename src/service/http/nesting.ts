/** More levels of lists and objects than any request has. */
export const MOST_LEVELS = 500;

/**
 * Whether a text of JSON is nested deeper than `MOST_LEVELS`. Such a one takes seconds to read and to free, and calls
 * itself to death wherever it is gone through level by level.
 */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (let place = 0; place < text.length; place++) {
    switch (text.charCodeAt(place)) {
      case QUOTE:
        place = endOfText(text, place);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MOST_LEVELS) return true;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
  }
  return false;
}

/** Place of the quote that ends the text which begins at `start`; the length of all where none does. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((sign) =>
  sign.charCodeAt(0),
);
