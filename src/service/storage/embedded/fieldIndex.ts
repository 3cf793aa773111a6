import type { StoredDocument } from "../storage.js";

/** A document in memory. */
export interface Entry {
  readonly document: StoredDocument;
  /** Of its last change in the log. */
  readonly bytes: number;
  /** In the order of creation. */
  readonly place: number;
}

/** Documents by the text in one of their fields. A field is indexed from the first time on that it is asked for. */
export class FieldIndex {
  readonly #all = new Set<Entry>();
  readonly #fields = new Map<string, Map<string, Set<Entry>>>();

  /** @param before whose fields are indexed from the beginning */
  constructor(before?: FieldIndex) {
    if (before === undefined) return;
    for (const field of before.#fields.keys()) this.#fields.set(field, new Map());
  }

  /** Takes an entry out and puts another in. */
  exchange(old: Entry | undefined, entry: Entry | undefined): void {
    if (old !== undefined) {
      this.#all.delete(old);
      for (const [field, values] of this.#fields) values.get(textAt(old, field) ?? "")?.delete(old);
    }
    if (entry === undefined) return;
    this.#all.add(entry);
    for (const [field, values] of this.#fields) add(values, textAt(entry, field), entry);
  }

  /** Those whose field is that text, in the order of their creation. */
  found({ field, equals }: { readonly field: string; readonly equals: string }): Entry[] {
    let values = this.#fields.get(field);
    if (values === undefined) {
      values = new Map();
      for (const entry of this.#all) add(values, textAt(entry, field), entry);
      this.#fields.set(field, values);
    }
    return [...(values.get(equals) ?? [])].sort((one, other) => one.place - other.place);
  }
}

function add(values: Map<string, Set<Entry>>, text: string | undefined, entry: Entry): void {
  if (text === undefined) return;
  const group = values.get(text);
  if (group === undefined) values.set(text, new Set([entry]));
  else group.add(entry);
}

/** Undefined for what is no text: nothing that is asked for equals it. */
function textAt({ document }: Entry, field: string): string | undefined {
  const value = Object.hasOwn(document.value, field) ? document.value[field] : undefined;
  return typeof value === "string" ? value : undefined;
}
