import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REFUSALS, TO_CLIENT, TO_SERVER } from "../../src/protocol/index.js";
import { limitsSchema } from "../../src/protocol/limits.js";

const page = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");

it("has a page that explains every event, limit and refusal", () => {
  for (const [code, meaning] of Object.entries(REFUSALS))
    expect(page).toContain(`| \`${code}\` | ${meaning} |`);
  for (const name of [
    ...Object.keys(TO_CLIENT),
    ...Object.keys(TO_SERVER),
    ...Object.keys(limitsSchema.shape),
  ]) {
    expect(page).toContain(`\`${name}\``);
  }
});
