/** Requests of the one call that is never done. */
export const REQUESTS = 500;
/** Milliseconds for each. */
export const MILLISECONDS = 20;
/** Seconds between writes. */
export const KEPT_EVERY = 0.2;
