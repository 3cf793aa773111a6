import { ElenchusError } from "../base/index.js";
import type { Weights } from "../weights/index.js";
import type { Aggregation, AlgorithmState, ClientUpdate } from "./algorithm.js";

export interface OrderedFoldOptions {
  readonly aggregation: Aggregation;
  /** The round's logical clients; the order given does not matter. */
  readonly members: readonly number[];
  /** "client": by logical client, so that the bits do not depend on who is first. "arrival": at once. */
  readonly order: "client" | "arrival";
}

/** What came of a round. */
export interface FoldedRound {
  readonly weights: Weights;
  /** Logical clients whose updates are in it, in the order in which they were folded. */
  readonly clients: readonly number[];
  /** What the algorithm carries into the next round, where it carries anything. */
  readonly state?: AlgorithmState | undefined;
}

/**
 * Folds a round's updates in the order of logical clients, each as soon as every member before it has
 * reported or been given up. An update that is early waits in its source, which may be a file; every source
 * is discarded once it was folded. Memory: the aggregation, and one waiting source's handle per member.
 */
export interface OrderedFold {
  /**
   * Takes over a member's update.
   * @throws PROTOCOL_VIOLATION when the client is no member, has reported, or was given up; the source is
   * then still the caller's
   */
  accept(update: ClientUpdate): void;
  /** The member will not report. Nothing happens when it has, or is no member. */
  giveUp(clientId: number): void;
  /** Another client takes the place, and the turn, of a member that was to report. @throws PROTOCOL_VIOLATION */
  replace(clientId: number, by: number): void;
  /** Members that have neither reported nor been given up, ascending. */
  readonly awaited: readonly number[];
  /** Updates taken over so far. */
  readonly accepted: number;
  /** Gives up whoever has not reported and resolves when all is folded. @throws what a fold threw first */
  finish(): Promise<FoldedRound>;
  /** Discards everything; for a round that ends without a result. */
  abandon(): Promise<void>;
}

/** A member's place in the order. */
interface Place {
  clientId: number;
  state: "awaited" | "reported" | "given_up";
  update?: ClientUpdate;
}

export function createOrderedFold({ aggregation, members, order }: OrderedFoldOptions): OrderedFold {
  const places = [...new Set(members)]
    .sort((one, other) => one - other)
    .map((clientId): Place => ({ clientId, state: "awaited" }));
  const folded: number[] = [];
  let accepted = 0;
  let turn = 0;
  let abandoned = false;
  let failure: { error: unknown } | undefined;
  let work: Promise<void> = Promise.resolve();

  const placeOf = (clientId: number) => places.find((place) => place.clientId === clientId);

  const fold = async (update: ClientUpdate) => {
    try {
      if (abandoned || failure) return;
      await aggregation.fold(update);
      folded.push(update.clientId);
    } catch (error) {
      failure ??= { error };
    } finally {
      await update.weights.discard().catch(() => {});
    }
  };
  const schedule = (place: Place) => {
    const { update } = place;
    if (!update) return;
    delete place.update;
    work = work.then(() => fold(update));
  };
  const advance = () => {
    for (; turn < places.length && places[turn]!.state !== "awaited"; turn++) schedule(places[turn]!);
  };
  const giveUp = (place: Place) => {
    if (place.state === "awaited") place.state = "given_up";
  };

  return {
    get awaited() {
      return places.filter((place) => place.state === "awaited").map((place) => place.clientId);
    },
    get accepted() {
      return accepted;
    },

    accept(update) {
      const place = placeOf(update.clientId);
      if (abandoned || place?.state !== "awaited") throw refused(update.clientId, place);
      place.state = "reported";
      place.update = update;
      accepted++;
      if (order === "arrival") schedule(place);
      else advance();
    },

    giveUp(clientId) {
      const place = placeOf(clientId);
      if (place) giveUp(place);
      advance();
    },

    replace(clientId, by) {
      const place = placeOf(clientId);
      if (place?.state !== "awaited") throw refused(clientId, place);
      if (placeOf(by)) throw refused(by, placeOf(by));
      place.clientId = by;
    },

    async finish() {
      for (const place of places) giveUp(place);
      advance();
      await work;
      if (failure) throw failure.error;
      const weights = await aggregation.finish();
      const state = aggregation.state?.();
      return { weights, clients: folded, ...(state && { state }) };
    },

    async abandon() {
      abandoned = true;
      for (const place of places) {
        giveUp(place);
        schedule(place);
      }
      await work;
    },
  };
}

function refused(clientId: number, place: Place | undefined): ElenchusError {
  const found = place
    ? `is ${place.state === "awaited" ? "already a member" : place.state.replace("_", " ")}`
    : "is no member";
  return new ElenchusError(
    "PROTOCOL_VIOLATION",
    `Client ${clientId} ${found} of this round; its update cannot be taken.`,
    {
      details: { clientId, state: place?.state ?? null },
    },
  );
}
