import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandHere } from "../support/commandHere.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const root = join(import.meta.dirname, "../..");
const tomlIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, String(file)))
    // What is only ever included is no configuration by itself.
    .filter((file) => file.endsWith(".toml") && !file.endsWith("base.toml"));
const base = temporaryFolder("configs");

/** What may be missing on this machine, and what is said then: which files, where they were looked for. */
const MISSING =
  /^(data\.(data_path|datasource|dataset_name|train_path)|trainer\.(model_name|tokenizer_name)|evaluation\b.*)$/;

describe("each configuration that ships", () => {
  // Data that are not here are not fetched for a test.
  beforeAll(() => {
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    vi.stubEnv("ELENCHUS_OFFLINE", "1");
    vi.stubEnv("ELENCHUS_CACHE", join(base, "cache"));
  });
  afterAll(() => vi.unstubAllEnvs());

  it.each([...tomlIn("configs"), ...tomlIn("examples")])(
    "%s passes check, or lacks files alone",
    async (file) => {
      const own = file.endsWith("cautious.toml")
        ? ["--import", join(root, "examples/compare-algorithms/cautious.ts")]
        : [];
      const { status, stdout } = await commandHere(
        "check",
        join(root, file),
        "--json",
        "--base",
        base,
        ...own,
      );
      const { ok, errors } = JSON.parse(stdout);
      expect(status).toBe(ok ? 0 : 2);
      for (const { key, expected } of errors) {
        expect(key, expected).toMatch(MISSING);
        expect(expected).toMatch(/offline|not in|no such|cannot be read|is not there|missing/i);
      }
    },
  );

  it("is named by a page of docs/, by README or by the comment of another", () => {
    const pages = ["README.md", ...readdirSync(join(root, "docs")).map((page) => join("docs", page))]
      .filter((page) => page.endsWith(".md"))
      .map((page) => readFileSync(join(root, page), "utf8"))
      .join("\n");
    const unnamed = tomlIn("configs").filter((file) => {
      const folder = file.split("/").slice(0, -1).join("/");
      return !pages.includes(file) && !(folder !== "configs" && pages.includes(folder));
    });
    expect(unnamed).toEqual([]);
  });
});
