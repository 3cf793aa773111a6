import { createHash, timingSafeEqual } from "node:crypto";
import { type Handshake, handshakeSchema, PROTOCOL_VERSION, type RefusalCode } from "../protocol/index.js";
import type { Federation } from "./rounds/federation.js";
import type { Session, Sessions } from "./sessions.js";

/** What decides about a connection. */
export interface Gate {
  readonly token: string;
  readonly federation: Federation;
  readonly sessions: Sessions;
}

/** A connection that may be made: under a new identity, or under the one it had. */
export type Admission =
  | { readonly admitted: true; readonly handshake: Handshake; readonly resumed: Session | null }
  | { readonly admitted: false; readonly code: RefusalCode; readonly message: string };

/** Decides about a connection. The token comes first: without it, nothing is told of the run. */
export function admit(auth: unknown, gate: Gate): Admission {
  const parsed = handshakeSchema.safeParse(auth);
  if (!parsed.success) {
    return refused("malformed", "The handshake is not of the form { protocol, token, process, ... }.");
  }
  const handshake = parsed.data;
  if (!sameSecret(handshake.token, gate.token)) {
    return refused(
      "wrong_token",
      "The token is not this run's. Take server.token of the server's configuration.",
    );
  }
  if (handshake.protocol !== PROTOCOL_VERSION) {
    return refused(
      "wrong_protocol",
      `The client speaks protocol ${handshake.protocol}, the server ${PROTOCOL_VERSION}: use the same version.`,
    );
  }
  if (gate.federation.stage.phase === "closed") return refused("ended", "The run is over.");
  return handshake.session === undefined
    ? admitNew(handshake, gate)
    : admitBack(handshake, handshake.session, gate.sessions);
}

function admitNew(handshake: Handshake, { federation, sessions }: Gate): Admission {
  const { identities, totalClients } = federation.rules;
  const { process, client_id: client } = handshake;
  if (identities === "fixed" && (client !== process || process > totalClients)) {
    return refused(
      "foreign",
      `With server.disable_clients = true a client's number is its logical client, from 1 to ${totalClients}; found process ${process} and client ${client ?? "none"}.`,
    );
  }
  if (identities === "simulated" && client !== undefined) {
    return refused(
      "foreign",
      `This run assigns logical clients itself; the client takes itself for client ${client}. Both need the same server.disable_clients.`,
    );
  }
  if (sessions.ofProcess(process)?.socket) {
    return refused("taken", `A client process ${process} is connected already. Give each its own --id.`);
  }
  return { admitted: true, handshake, resumed: null };
}

function admitBack(handshake: Handshake, id: string, sessions: Sessions): Admission {
  const session = sessions.get(id);
  if (session === undefined || session.process !== handshake.process) {
    return refused("wrong_session", "The session is unknown or over. Connect without one.");
  }
  return { admitted: true, handshake, resumed: session };
}

/** Compares in a time that does not depend on where the two differ, or on their lengths. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refused(code: RefusalCode, message: string): Admission {
  return { admitted: false, code, message };
}
