import { shownNumber } from "../parts/numbers.js";

/** How deep figures are looked for, and how many are shown. */
const [DEEPEST, MOST] = [5, 60];

/** What a job came to: its numbers by name, and the whole document for who wants it. */
export function Figures({ result }: { result: unknown }) {
  const figures = [...numbersIn(result, "", DEEPEST)].slice(0, MOST);
  return (
    <section>
      <h2>Result</h2>
      {figures.length > 0 && (
        <dl class="facts">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="figure">{shownNumber(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <details>
        <summary>Whole result</summary>
        <pre class="block">{JSON.stringify(result, null, 2)}</pre>
      </details>
    </section>
  );
}

/** Numbers of a document by where they stand; what stands in lists are rows, not figures. */
function* numbersIn(value: unknown, path: string, depth: number): Generator<readonly [string, number]> {
  if (typeof value === "number" && Number.isFinite(value)) yield [path, value];
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth === 0) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* numbersIn(inner, path === "" ? key : `${path} · ${key}`, depth - 1);
  }
}
