/** The value of a name in a map whose names come from outside; undefined where the map itself does not have it. */
export function ownValue<T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}
