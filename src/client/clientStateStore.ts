/**
 * States of logical clients between their rounds. Any process of a run may train any logical client, so
 * the states live outside all of them.
 */
export interface ClientStateStore {
  /**
   * The state that the client is to train with in `round`; empty at first.
   * @param lastRound the round after which its update was last aggregated, whose state alone counts: what it left in
   *   a round that the server gave up is void. Null: none was aggregated yet. Absent: the newest before `round`
   */
  load(clientId: number, round: number, lastRound?: number | null): Promise<ReadonlyMap<string, unknown>>;
  /**
   * Keeps the state it leaves after training in `round`.
   * @param lastRound the round whose state it was trained with, which must stay in case this one is given up
   */
  save(
    clientId: number,
    round: number,
    state: ReadonlyMap<string, unknown>,
    lastRound?: number | null,
  ): Promise<void>;
}
