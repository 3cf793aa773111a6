import { useEffect, useState } from "preact/hooks";

/** What the page shows: a view, what it is about, and how. It stands behind the `#`, so that a link says it all. */
export interface Address {
  readonly view: string;
  /** Of a run, a job, a data set, a scorer. */
  readonly id: string | undefined;
  readonly params: URLSearchParams;
}

/** The address, and again whenever it changes. */
export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listen = () => setHash(location.hash);
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  return parseAddress(hash);
}

/** Reads what stands behind the `#`; nonsense is the list of runs. */
export function parseAddress(hash: string): Address {
  const [, path = "", query = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const [view = "", ...rest] = path.split("/");
  const id = rest.map(decoded).join("/");
  return { view: view || "runs", id: id === "" ? undefined : id, params: new URLSearchParams(query) };
}

/** A link to a view. */
export function linkTo(view: string, id?: string, params: Params = {}): string {
  const query = queryOf(params).toString();
  const about = id === undefined ? "" : `/${encodeURIComponent(id)}`;
  return `#/${view}${about}${query === "" ? "" : `?${query}`}`;
}

/** Changes some of the address's params in place: going back leaves the view, not the last key that was pressed. */
export function changeParams(changes: Params): void {
  const { view, id, params } = parseAddress(location.hash);
  for (const key of Object.keys(changes)) params.delete(key);
  for (const [key, value] of queryOf(changes)) params.append(key, value);
  const query = params.toString();
  const about = id === undefined ? "" : `/${encodeURIComponent(id)}`;
  history.replaceState(null, "", `#/${view}${about}${query === "" ? "" : `?${query}`}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

type Params = Readonly<Record<string, string | number | boolean | readonly string[] | undefined | null>>;

function queryOf(params: Params): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined || value === null || value === "" || value === false) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one));
  }
  return query;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
