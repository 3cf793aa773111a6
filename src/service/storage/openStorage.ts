import { join } from "node:path";
import { ElenchusError } from "../../base/index.js";
import { EmbeddedStorage } from "./embedded/embeddedStorage.js";
import { shownAddress } from "./shownAddress.js";
import type { Storage } from "./storage.js";

/** Where a service keeps its data: the keys of `[service]`. */
export interface StorageSettings {
  /** `postgres://…`; absent: files in `data_dir`. */
  readonly database?: string | undefined;
  readonly data_dir: string;
}

/** Opens the storage that the settings name. @throws STORAGE_FAILED */
export async function openStorage({ database, data_dir }: StorageSettings): Promise<Storage> {
  if (database === undefined) return EmbeddedStorage.open(join(data_dir, "storage"));
  if (!/^postgres(ql)?:\/\//.test(database)) {
    throw new ElenchusError(
      "STORAGE_FAILED",
      `service.database is ${shownAddress(database)}. Expected postgres://USER:PASSWORD@HOST/DATABASE, or no such key: then files under service.storage_path are used.`,
    );
  }
  // Only here: who keeps files need not load the client of a database.
  const { PostgresStorage } = await import("./postgres/postgresStorage.js");
  return PostgresStorage.open(database);
}
