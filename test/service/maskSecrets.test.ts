import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readServiceConfig } from "../../src/config/index.js";
import { maskSecrets } from "../../src/service/maskSecrets.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

it("secrets that settings name are hidden, wherever they stand", () => {
  const base = temporaryFolder("secrets");
  const file = join(base, "token");
  writeFileSync(file, "from-a-file-0123456789\n");
  const path = join(base, "service.toml");
  writeFileSync(
    path,
    `[service]
database = "postgres://user:pass%2Fword@host/name"
tokens = [
  { name = "a", token = "in-the-file-itself-01" },
  { name = "b", env = "SOME_TOKEN" },
  { name = "c", file = ${JSON.stringify(file)} },
  { name = "d", file = ${JSON.stringify(join(base, "nowhere"))} },
]
models = [{ name = "m", reference = { url = "https://host/v1", model = "m", key_variable = "SOME_KEY" } }]
`,
  );
  const { settings } = readServiceConfig(path);
  const mask = maskSecrets(settings, { SOME_TOKEN: " in-a-variable-012345\n", SOME_KEY: "sk-model-key" });
  const secrets = [
    "in-the-file-itself-01",
    "in-a-variable-012345",
    "from-a-file-0123456789",
    "sk-model-key",
    "pass%2Fword",
    "pass/word",
  ];
  expect(mask(secrets.join(" and "))).toBe(secrets.map(() => "(hidden)").join(" and "));
});
