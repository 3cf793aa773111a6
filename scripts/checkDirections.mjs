// Refuses an import that runs upward or sideways between the rooms of src/, type-only imports included.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Rooms from the ground up; those on one line do not import each other. */
const LEVELS = [
  ["base"],
  ["compute", "tokenizers", "hub", "weights", "protocol", "context", "config"],
  ["models", "data", "api"],
  ["language", "scoring"],
  ["tasks", "evaluations"],
  ["evaluators"],
  ["algorithms"],
  ["trainers", "results", "processors"],
  ["server", "client"],
  ["cli", "service", "page"],
];
/** Rooms that may use only some of those below them: the page runs in a browser. */
const ONLY = new Map([["page", ["api"]]]);
/** Exceptions: the kernels are anyone's, and commands start the service. */
const ALLOWED = [
  { from: /.*/, to: /^compute\/kernels\/index\.ts$/ },
  { from: /^cli\//, to: /^service\// },
];

const source = fileURLToPath(new URL("../src", import.meta.url));
const level = new Map(LEVELS.flatMap((rooms, index) => rooms.map((room) => [room, index])));
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)|(?:^|\n)\s*import\s*["']([^"']+)["']/g;

const files = readdirSync(source, { recursive: true })
  .map(String)
  .filter((file) => /\.tsx?$/.test(file) && !file.includes(`kernels${sep}assembly`));
const graph = new Map();
const faults = [];

for (const file of files) {
  const text = readFileSync(join(source, file), "utf8");
  const targets = [];
  for (const match of text.matchAll(IMPORT)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    if (!specifier?.startsWith(".")) continue;
    const target = relative(source, resolve(source, dirname(file), specifier)).replace(/\.js(x?)$/, ".ts$1");
    if (!/\.tsx?$/.test(target)) continue;
    targets.push(target);
    const from = file.split(sep)[0];
    const to = target.split(sep)[0];
    if (!file.includes(sep) || from === to) continue;
    if (!target.includes(sep)) {
      faults.push(`${file} imports ${target}: src/index.ts stands above all rooms`);
      continue;
    }
    if (!level.has(from) || !level.has(to)) {
      faults.push(
        `${file} -> ${target}: room ${level.has(from) ? to : from} has no place in scripts/checkDirections.mjs`,
      );
      continue;
    }
    if (ONLY.has(from) && !ONLY.get(from).includes(to)) {
      faults.push(`${file} imports ${target}: ${from} imports only ${ONLY.get(from).join(", ")}`);
      continue;
    }
    const allowed = ALLOWED.some((rule) => rule.from.test(file) && rule.to.test(target.replaceAll(sep, "/")));
    if (!allowed && level.get(to) >= level.get(from)) {
      faults.push(`${file} imports ${target}: ${to} is not below ${from}`);
    }
  }
  graph.set(file, targets);
}

faults.push(...circles(graph).map((circle) => `circle: ${circle.join(" -> ")}`));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${files.length} files, no import runs upward and none in a circle`);

/** Every circle found by a depth-first walk, each once. */
function circles(graph) {
  const found = [];
  const done = new Set();
  const walk = (file, path) => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file]);
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}
