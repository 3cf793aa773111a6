import { createHash, timingSafeEqual } from "node:crypto";
import { sentence } from "../base/index.js";
import { cutText } from "./messages/fields.js";
import {
  type ConnectRefusal,
  connectRefusalSchema,
  type Handshake,
  handshakeSchema,
  PROTOCOL_VERSION,
} from "./messages/handshake.js";
import type { RefusalCode } from "./refusals.js";

/** An error for socket.io's middleware; the client finds `data` on its `connect_error`, a long message cut. */
export class ConnectionRefusal extends Error {
  readonly data: ConnectRefusal;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = "ConnectionRefusal";
    this.data = { code, message: cutText(message) };
  }
}

/**
 * Reads what a client says when it connects.
 * @param auth `socket.handshake.auth`
 * @param token the run's token
 * @throws ConnectionRefusal when it is malformed, of another version, or without the token
 */
export function readHandshake(auth: unknown, token: string): Handshake {
  // The version first: a handshake of another version may look different in everything else.
  const protocol =
    typeof auth === "object" && auth !== null && "protocol" in auth ? auth.protocol : undefined;
  if (Number.isInteger(protocol) && protocol !== PROTOCOL_VERSION) {
    throw new ConnectionRefusal(
      "wrong_protocol",
      `The client speaks protocol ${protocol}, the server ${PROTOCOL_VERSION}. Install the same version of elenchus on both.`,
    );
  }
  const handshake = handshakeSchema.safeParse(auth);
  if (!handshake.success) {
    const issue = handshake.error.issues[0]!;
    throw new ConnectionRefusal(
      "malformed",
      `The handshake is malformed at ${issue.path.join(".") || "the top"}: ${sentence(issue.message)}`,
    );
  }
  if (!sameText(handshake.data.token, token)) {
    throw new ConnectionRefusal(
      "wrong_token",
      "The token is not this run's. Take server.token from the server's configuration.",
    );
  }
  return handshake.data;
}

/** Why a server refused a connection; undefined when the error of `connect_error` is another one. */
export function refusalOf(error: Error & { data?: unknown }): ConnectRefusal | undefined {
  const refusal = connectRefusalSchema.safeParse(error.data);
  return refusal.success ? refusal.data : undefined;
}

/** Compares in a time that says nothing about where two texts differ. */
function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
