/**
 * States of logical clients between their rounds. Any process of a run may train any logical client, so
 * the states live outside all of them.
 */
export interface ClientStateStore {
  /** The state that logical client left in its last participation before `round`; empty at first. */
  load(clientId: number, round: number): Promise<ReadonlyMap<string, unknown>>;
  /** Keeps the state it leaves after training in `round`. */
  save(clientId: number, round: number, state: ReadonlyMap<string, unknown>): Promise<void>;
}
