import { useEffect, useState } from "preact/hooks";

let say: ((text: string) => void) | undefined;

/** Says something to those who listen to the page: a new row, the end of a job. */
export function announce(text: string): void {
  say?.(text);
}

/** Where it is said; once on the page. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    say = setText;
    return () => {
      say = undefined;
    };
  }, []);
  return (
    <div class="unseen" role="status" aria-live="polite" data-announcer>
      {text}
    </div>
  );
}
