export { EmbeddedStorage } from "./embedded/embeddedStorage.js";
export { openStorage, type StorageSettings } from "./openStorage.js";
export { shownAddress } from "./shownAddress.js";
export type {
  JsonObject,
  JsonValue,
  ListOptions,
  RowsOptions,
  Storage,
  StoredDocument,
  StoredRow,
} from "./storage.js";
