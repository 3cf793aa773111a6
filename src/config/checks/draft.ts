import type { Config, Section } from "../schema/config.js";

/** A configuration while it is checked: every key that holds a usable value, defaults included. */
export type Draft = { [S in Section]: Partial<Config[S]> } & { evaluation?: Config["evaluation"] };
