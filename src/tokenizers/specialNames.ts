/** A stretch of text, or a special token that stands in it by name. */
export type TextSection =
  | { readonly text: string; readonly id: undefined }
  | { readonly text: string; readonly id: number };

/** Cuts a text at the names of special tokens; of two names that begin at one place the longer one counts. */
export function createSpecialSplitter(names: ReadonlyMap<string, number>): (text: string) => TextSection[] {
  const longestFirst = [...names.keys()].filter((name) => name !== "").sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => (text === "" ? [] : [{ text, id: undefined }]);
  const anyName = new RegExp(longestFirst.map(escaped).join("|"), "gu");
  return (text) => {
    const sections: TextSection[] = [];
    let position = 0;
    for (const { 0: name, index } of text.matchAll(anyName)) {
      if (index > position) sections.push({ text: text.slice(position, index), id: undefined });
      sections.push({ text: name, id: names.get(name)! });
      position = index + name.length;
    }
    if (position < text.length) sections.push({ text: text.slice(position), id: undefined });
    return sections;
  };
}

function escaped(name: string): string {
  return name.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}
