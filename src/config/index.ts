export type { Catalog, CatalogEntry } from "./catalog.js";
export type { Config } from "./schema/config.js";
