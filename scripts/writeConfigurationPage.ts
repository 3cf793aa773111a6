// Writes docs/configuration.md from the schemas: node --import tsx scripts/writeConfigurationPage.ts
import { writeFileSync } from "node:fs";
import { configurationPage } from "../src/config/configurationPage.js";

writeFileSync(new URL("../docs/configuration.md", import.meta.url), configurationPage());
