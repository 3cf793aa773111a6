import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { aggregations, parsers, scorers } from "../../src/scoring/index.js";

const page = readFileSync(new URL("../../docs/scoring.md", import.meta.url), "utf8");
const line = ({ name, description }: { name: string; description: string }) =>
  `| \`${name}\` | ${description.replaceAll("|", "\\|")} |`;

it.each([
  ["scorer", "what it judges", scorers],
  ["parser", "what it picks", parsers],
  ["aggregation", "metrics", aggregations],
] as const)("the page has every %s with its description, and no other", (kind, heading, registry) => {
  const table = page.split(`| ${kind} | ${heading} |\n|---|---|\n`)[1]!.split("\n\n")[0];
  expect(table).toBe(registry.list().map(line).join("\n"));
});
