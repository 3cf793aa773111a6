import { join } from "node:path";
import { EmbeddedStorage } from "../../../src/service/storage/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { storageSuite } from "../suites/storage.js";

const folder = temporaryFolder("storage");

storageSuite("a folder", { open: () => EmbeddedStorage.open(join(folder, "shared")) });
