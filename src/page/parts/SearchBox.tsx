import { useId } from "preact/hooks";

/** A box that narrows a list; `/` leads to it. */
export function SearchBox(props: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** What it leaves, said to those who cannot see it. */
  found?: string;
}) {
  const id = useId();
  return (
    <div class="search">
      <label for={id} class="unseen">
        {props.label}
      </label>
      <input
        id={id}
        type="search"
        placeholder={props.label}
        value={props.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      {props.found !== undefined && (
        <span class="unseen" role="status">
          {props.found}
        </span>
      )}
    </div>
  );
}

/** Whether a text holds all words that are looked for. */
export function holdsWords(text: string, words: string): boolean {
  const low = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}
