/** Items in one line for a message: the first so many, and how many more there are. */
export function inShort(items: readonly string[], { most = 8, separator = ", " } = {}): string {
  const more = items.length - most;
  return `${items.slice(0, most).join(separator)}${more > 0 ? ` and ${more} more` : ""}`;
}
