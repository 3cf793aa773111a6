/** Positions are made for so many times the context. */
export const LONGEST_CONTEXTS = 10;
