import type { ComponentChildren } from "preact";
import { ServiceProblem } from "../service/ask.js";

/** Something is on its way; it takes the place that it will fill. */
export function Loading({ what }: { what: string }) {
  return (
    <p class="state" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what} …
    </p>
  );
}

/** There is nothing, and how there will be something. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state empty">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

/** What is wrong, in the service's words, and a way to try again. */
export function Problem({ problem, retry }: { problem: Error; retry?: () => void }) {
  const { code, faults } =
    problem instanceof ServiceProblem ? problem : { code: "PAGE", faults: [] as readonly string[] };
  return (
    <div class="problem" role="alert">
      <p>
        <code>{code}</code> {problem.message}
      </p>
      {faults.length > 1 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
