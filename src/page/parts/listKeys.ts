/**
 * Keys of the whole page: `/` goes to the search box, `j` and `k` to the next and the last of a list's rows, `Escape`
 * out of a search box. Rows are whatever carries `data-row`; nothing is taken from somebody who is typing.
 */
export function watchListKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    if (event.key === "Escape" && target instanceof HTMLInputElement && target.type === "search") {
      target.blur();
      return;
    }
    if (isTypedInto(target) || document.querySelector("dialog[open]") !== null) return;
    if (event.key === "/") {
      const box = document.querySelector<HTMLInputElement>("main input[type=search]");
      if (box === null) return;
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.key === "j" || event.key === "k") {
      if (step(event.key === "j" ? 1 : -1)) event.preventDefault();
    }
  });
}

function step(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? rows[by > 0 ? 0 : rows.length - 1] : rows[at + by];
  if (next === undefined) return false;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  return true;
}

function isTypedInto(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && /^(?:checkbox|radio|button)$/.test(target.type))
  );
}
