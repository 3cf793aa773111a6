import { z } from "zod";
import { limitsSchema } from "../limits.js";
import { REFUSAL_CODES } from "../refusals.js";
import { clientId, sessionId, text } from "./fields.js";

/** Version of everything in this room. Both ends must speak the same. */
export const PROTOCOL_VERSION = 1;

/** What a client says in socket.io's `auth` when it connects. */
export const handshakeSchema = z.strictObject({
  /** `PROTOCOL_VERSION`; another number is well formed and refused as `wrong_protocol`. */
  protocol: z.int(),
  token: z.string().min(1).max(512),
  /** Number of the client process, the N of `elenchus client --id N`. */
  process: z.int().positive(),
  /** The session to resume after a lost connection. */
  session: sessionId.optional(),
  /** The logical client this process is; only with `server.disable_clients = true`. */
  client_id: clientId.optional(),
});

export type Handshake = z.output<typeof handshakeSchema>;

/** `data` of the `connect_error` with which a connection is refused. */
export const connectRefusalSchema = z.strictObject({ code: z.enum(REFUSAL_CODES), message: text });

export type ConnectRefusal = z.output<typeof connectRefusalSchema>;

/** The server's first message on a connection. */
export const welcomeSchema = z.strictObject({
  /** To be given back in the handshake after a lost connection. */
  session: sessionId,
  run_id: z.string().min(1).max(512),
  limits: limitsSchema,
  /** Seconds for which a lost session can be resumed. */
  grace_seconds: z.number().nonnegative(),
});

export type Welcome = z.output<typeof welcomeSchema>;
