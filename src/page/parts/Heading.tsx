import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The heading of a view. Whoever comes from another view is put here, as after loading a page. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Elenchus`;
    if (arrived && document.querySelector("dialog[open]") === null) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    arrived = true;
  }, [title]);
  return (
    <div class="heading">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

/** The first view leaves the focus where the browser has it. */
let arrived = false;
