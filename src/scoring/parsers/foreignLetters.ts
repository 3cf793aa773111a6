/** Letters of Arabic and Bengali that stand for A to D in translated benchmarks. */
export const FOREIGN_LETTERS: ReadonlyMap<string, string> = new Map([
  ["أ", "A"],
  ["ب", "B"],
  ["ج", "C"],
  ["د", "D"],
  ["অ", "A"],
  ["ব", "B"],
  ["ড", "C"],
  ["ঢ", "D"],
]);
