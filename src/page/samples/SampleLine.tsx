import { useId, useState } from "preact/hooks";
import { shownNumber } from "../parts/numbers.js";
import type { Sample } from "./useSamples.js";

/** A sample in short; opened, all that was asked and answered. */
export function SampleLine({ sample, failed }: { sample: Sample; failed: boolean }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li class="sample">
      <button
        type="button"
        class="sample-line"
        data-row
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span class={failed ? "score bad" : "score good"}>
          <span class="unseen">score </span>
          {shownScore(sample.score)}
        </span>
        <span class="sample-prompt">
          <span class="quiet">#{sample.doc}</span> {sample.prompt}
        </span>
        <span class="sample-text">
          <span class="sample-label">answer</span> {sample.answer}
        </span>
        <span class="sample-text">
          <span class="sample-label">expected</span> {sample.gold}
        </span>
      </button>
      {open && <Whole id={id} sample={sample} />}
    </li>
  );
}

function Whole({ id, sample }: { id: string; sample: Sample }) {
  return (
    <div id={id} class="sample-whole">
      {sample.requests.map((request, place) => (
        <Part key={place} title={place === 0 ? "Asked" : `Asked, ${place + 1}`} text={textsOf(request)} />
      ))}
      <div class="beside">
        {sample.answers.map((answer, place) => (
          <Part
            key={place}
            title={place === 0 ? "Answered" : `Answered, ${place + 1}`}
            text={textsOf(answer)}
          />
        ))}
        <Part title="Expected" text={sample.gold} />
      </div>
      <dl class="facts small">
        {Object.entries(sample.scores).map(([name, score]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof score === "number" ? shownNumber(score) : JSON.stringify(score)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h3>{title}</h3>
      <pre>{text}</pre>
    </section>
  );
}

function shownScore(score: Sample["score"]): string {
  if (score === null) return "–";
  if (typeof score === "number") return shownNumber(score);
  return score.map(shownNumber).join(", ");
}

/** The texts of a request or an answer as they are; what else there is, as JSON. */
function textsOf(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part !== "object" || part === null) return String(part);
  const { prompts, text, ...rest } = part as Record<string, unknown>;
  const texts = [...(Array.isArray(prompts) ? prompts : []), text].filter((one) => typeof one === "string");
  const others = Object.entries(rest).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  const tail = others.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return [...texts, ...(texts.length > 0 && tail.length > 0 ? ["", ...tail] : tail)].join("\n");
}
