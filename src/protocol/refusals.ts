/**
 * Every reason for which one end turns away a connection or a message of the other. What was turned away
 * is counted and changes nothing else. A code that is retired is never used again.
 */
export const REFUSALS = {
  wrong_protocol: "The other end speaks another version of the protocol.",
  wrong_token: "The token is not the run's.",
  wrong_session: "The session to resume is unknown, over, or belongs to another process.",
  taken: "That process or logical client is already connected.",
  ended: "The run is over.",
  malformed: "The message does not have the form that the protocol gives it.",
  foreign: "The message speaks of a round, a logical client or a transfer that is not this session's.",
  late: "The round is over, or the client was withdrawn from it.",
  duplicate: "The same was already received.",
  too_large: "The message or payload exceeds a limit announced in the handshake.",
  out_of_order: "The chunk is not the next one of its transfer.",
  corrupt: "The payload is not the one announced: its size or its SHA-256 differs.",
  expired: "The payload was not complete when its time was up.",
  busy: "Too many bytes of unfinished payloads are held at the moment; a later try may succeed.",
  wrong_layout: "The weights do not have the names, types and shapes of the global model.",
  not_finite: "The weights hold NaN or an infinite number.",
  out_of_range: "A number in the report or the update lies outside of what the configuration makes possible.",
  internal: "The receiving end failed; its log says why.",
} as const satisfies Record<string, string>;

/** A stable refusal code. */
export type RefusalCode = keyof typeof REFUSALS;

/** All refusal codes. */
export const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[];

/** Counts what was turned away. */
export interface RefusalCounter {
  count(code: RefusalCode): void;
  readonly total: number;
  /** How often each code occurred; codes that did not are absent. */
  byCode(): ReadonlyMap<RefusalCode, number>;
  /** For people: `malformed 2, late 1`. */
  toString(): string;
}

export function createRefusalCounter(): RefusalCounter {
  const counts = new Map<RefusalCode, number>();
  let total = 0;
  return {
    count(code) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
      total++;
    },
    get total() {
      return total;
    },
    byCode: () => new Map(counts),
    toString: () => [...counts].map(([code, count]) => `${code} ${count}`).join(", "),
  };
}
