import { readdirSync, readFileSync } from "node:fs";

/** Bytes that a process and all below it hold in memory, pages of files that they share not counted. Linux alone. */
export function residentBytes(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : "";
    // The name in brackets may hold anything.
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (process: number): boolean => {
    if (process === root) return true;
    const parent = parents.get(process);
    return parent !== undefined && isBelow(parent);
  };
  const own = [...parents.keys()].filter(isBelow);
  return own.reduce((sum, process) => sum + anonymous(read(`/proc/${process}/status`)), 0);
}

function anonymous(status: string): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** A process may end between two looks at it. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
