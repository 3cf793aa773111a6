import { serverSchema } from "../src/config/schema/server.js";
import { limitsOf } from "../src/protocol/index.js";

/** What both processes of the transfer benchmark agree on; the limits are the configuration's defaults. */
export const ELEMENTS = 25_000_000;
export const BYTES = 4 * ELEMENTS;
export const SERVER = serverSchema.parse({});
export const LIMITS = limitsOf(SERVER);
export const TCP_DIGEST_BYTES = 32;

/** Logical clients of the benchmark: whose update is only received, and whose is checked as in a round. */
export const RECEIVED = 1;
export const CHECKED = 2;
