/** A binary heap: the item that `before` puts first comes out first. */
export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  pop(): T | undefined;
}

/** @param before whether one item comes out before another; a strict order */
export function createHeap<T>(before: (one: T, other: T) => boolean): Heap<T> {
  const items: T[] = [];
  return {
    get size() {
      return items.length;
    },
    push(item) {
      let index = items.length;
      items.push(item);
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!before(item, items[parent]!)) break;
        items[index] = items[parent]!;
        index = parent;
      }
      items[index] = item;
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return first;
      let index = 0;
      for (;;) {
        let child = 2 * index + 1;
        if (child >= items.length) break;
        if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
        if (!before(items[child]!, last)) break;
        items[index] = items[child]!;
        index = child;
      }
      items[index] = last;
      return first;
    },
  };
}
