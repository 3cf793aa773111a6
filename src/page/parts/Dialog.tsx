import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** A question before everything else; Escape closes it where it may be closed. */
export function Dialog(props: { title: string; close?: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = box;
    if (current !== null && !current.open) current.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.close?.();
      }}
      onClose={({ currentTarget }) => {
        // A browser closes it at the second Escape, whatever the page says.
        if (!currentTarget.isConnected) return;
        if (props.close === undefined) currentTarget.showModal();
        else props.close();
      }}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}
