import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tasks } from "../../src/tasks/index.js";

const page = readFileSync(new URL("../../docs/tasks.md", import.meta.url), "utf8");

describe("docs/tasks.md", () => {
  const names = tasks
    .registeredNames()
    .filter((name) => !name.includes("@"))
    .map((name) => name.split(":")[1]!)
    .map((name) =>
      name.replace(/^mmlu_pro_.*/, "mmlu_pro_CATEGORY").replace(/^mmlu_(?!pro$|pro_).*/, "mmlu_SUBJECT"),
    )
    .map((name) => name.replace(/_cloze$/, ""));

  it.each([...new Set(names)])("names %s", (name) => {
    expect(page).toContain(`\`${name}\``);
  });
});
