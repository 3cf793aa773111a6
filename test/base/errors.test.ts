import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ElenchusError, ERROR_CATALOGUE, type ErrorCode, messageOf } from "../../src/base/index.js";
import { ELENCHUS_ERROR_SOURCE, sourcesOf } from "../support/sources.js";

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe("the error catalogue", () => {
  it("is told whole in docs/errors.md, with the exit status of every code", () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.+?) \|/gm)].map((row) => [
      row[1],
      Number(row[2]),
      row[3],
    ]);
    expect(rows).toEqual(
      codes.map((code) => [code, ERROR_CATALOGUE[code].exit, ERROR_CATALOGUE[code].summary]),
    );
  });

  it("holds no code that nothing throws", () => {
    const text = sourcesOf("src")
      .filter((file) => !file.path.endsWith(ELENCHUS_ERROR_SOURCE))
      .map((file) => file.text)
      .join("\n");
    expect(codes.filter((code) => !text.includes(`"${code}"`))).toEqual([]);
  });

  it("gives every error its exit status and keeps the cause", () => {
    const cause = new Error("below");
    const error = new ElenchusError("CONFIG_INVALID", "wrong", { cause, details: { key: "a" } });
    expect(error).toMatchObject({ name: "ElenchusError", exitCode: 2, cause, details: { key: "a" } });
    expect(new ElenchusError("INTERNAL", "x").details).toEqual({});
  });
});

describe("messageOf", () => {
  it("finds words for whatever was thrown", () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(messageOf(new Error("boom"))).toBe("boom");
    expect(messageOf(new TypeError())).toBe("TypeError");
    expect(messageOf("text")).toBe("text");
    expect(messageOf(42)).toBe("a thrown value that is no Error: 42");
    expect(messageOf(undefined)).toBe("a thrown value that is no Error: undefined");
    expect(messageOf(circular)).toBe("a thrown value that is no Error and cannot be shown");
  });
});
