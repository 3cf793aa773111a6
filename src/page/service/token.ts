import { useEffect, useState } from "preact/hooks";

/** Kept until the tab is closed, and nowhere else: never in an address, never on disk. */
const PLACE = "elenchus-token";

type Listener = () => void;
const listeners = new Set<Listener>();
let wanted: string | null = null;
let changes = 0;

/** The token that requests carry; null for none. */
export function currentToken(): string | null {
  return sessionStorage.getItem(PLACE);
}

/** A request was refused: somebody has to give a token. @param why what the service says */
export function askForToken(why: string): void {
  if (wanted === why) return;
  wanted = why;
  tell();
}

/** Takes a token, or forgets it; views ask the service anew. */
export function setToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(PLACE);
  else sessionStorage.setItem(PLACE, token);
  wanted = null;
  changes += 1;
  tell();
}

/** How the token stands; `changes` counts, so that a view can be made anew. */
export function useToken(): { token: string | null; wanted: string | null; changes: number } {
  const [, update] = useState(0);
  useEffect(() => {
    const listen = () => update((count) => count + 1);
    listeners.add(listen);
    return () => {
      listeners.delete(listen);
    };
  }, []);
  return { token: currentToken(), wanted, changes };
}

function tell(): void {
  for (const listener of listeners) listener();
}
