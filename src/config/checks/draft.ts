import type { z } from "zod";
import type { Config, SECTIONS, Section } from "../schema/config.js";

/** A configuration while it is checked: every key that holds a usable value, defaults included. */
export type Draft = { [S in Section]: Partial<z.output<(typeof SECTIONS)[S]>> } & {
  evaluation?: Config["evaluation"];
};
