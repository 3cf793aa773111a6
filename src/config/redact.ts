import type { Config } from "./schema/config.js";

/** The configuration without `server.token`, for everything that is printed or recorded. */
export function redact(config: Config): Config {
  const { token: _, ...server } = config.server;
  return Object.freeze({ ...config, server: Object.freeze(server) });
}
