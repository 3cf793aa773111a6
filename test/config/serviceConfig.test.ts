import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readServiceConfig } from "../../src/config/index.js";

const folder = mkdtempSync(join(tmpdir(), "elenchus-service-config-"));
function file(text: string): string {
  const path = join(folder, "service.toml");
  writeFileSync(path, text);
  return path;
}

/** All that is told of a configuration that is refused. */
function refusalOf(path: string, options?: Parameters<typeof readServiceConfig>[1]): string {
  try {
    readServiceConfig(path, options);
    return "";
  } catch (error) {
    return String(error) + JSON.stringify((error as { details: unknown }).details);
  }
}

describe("the configuration of the service", () => {
  it("needs no file", () => {
    const { settings } = readServiceConfig(undefined, { base: folder, set: ["service.port=0"] });
    expect(settings.service).toMatchObject({ address: "127.0.0.1", port: 0, tokens: [], rate_limit: 1200 });
    expect(settings.paths).toEqual({
      base: folder,
      results: join(folder, "results"),
      checkpoints: join(folder, "checkpoints"),
      data: join(folder, "data"),
      storage: join(folder, "service"),
    });
  });

  it("is read beside the sections of a run, whose folders it shares", () => {
    const path = file(
      `[general]\nbase_path = "${folder}"\n[results]\nresult_path = "record"\n[trainer]\nrounds = "many"\n[service]\nport = 9000`,
    );
    const { settings } = readServiceConfig(path);
    expect(settings.service.port).toBe(9000);
    expect(settings.paths.results).toBe(join(folder, "record"));
  });

  it("says which entry of a list is wrong, where it stands and what it takes", () => {
    const path = file(
      `[[service.tokens]]\nname = "a"\nscopes = ["reed"]\ntoken = "SECRET"\n[[service.tokens]]\nname = "b"\nsha256 = "zz"\nscops = []\n[[service.models]]\nname = "m"`,
    );
    const thrown = refusalOf(path);
    expect(thrown).toMatch(
      /service\.toml:3: service\.tokens\[0\]\.scopes\[0\] = "reed": expected one of "read"/,
    );
    expect(thrown).toMatch(/service\.toml:4: service\.tokens\[0\]\.token = "\(hidden\)": expected/);
    expect(thrown).toMatch(/service\.tokens\[1\]\.sha256 = "\(hidden\)": expected 64 hexadecimal digits/);
    expect(thrown).toMatch(/tokens\[1\]\.scops = "\(hidden\)": unknown key\. Did you mean "scopes"\?/);
    expect(thrown).toMatch(/service\.models\[0\]\.reference: expected/);
    expect(thrown).not.toMatch(/SECRET|a list of objects/);
  });

  it("drops no token whose table has an unknown key, and tells no word of it", () => {
    const sha256 = "0".repeat(64);
    const path = file(
      `[[service.tokens]]\nname = "a"\nsha256 = "${sha256}"\npassword = "hunter2"\n[[service.models]]\nname = "m"\nreference = "x"\nkind = "y"`,
    );
    const thrown = refusalOf(path, { lenient: true });
    expect(thrown).toMatch(
      /service\.tokens\[0\].password = "\(hidden\)": unknown key; expected one of name, scopes, token/,
    );
    expect(thrown).toMatch(
      /service\.models\[0\]\.kind = "y": unknown key; expected one of name, reference\./,
    );
    expect(thrown).not.toContain("hunter2");
  });

  it("that would listen where others reach it has tokens", () => {
    const path = file(`[service]\nport = 9000\naddress = "0.0.0.0"`);
    expect(() => readServiceConfig(path, { listens: true })).toThrow(
      /service\.toml:3: service\.address = "0\.0\.0\.0".*service\.tokens/s,
    );
    // A worker reads the same file, and listens nowhere.
    expect(readServiceConfig(path).settings.service.address).toBe("0.0.0.0");
  });

  it("names every fault, and never a secret", () => {
    const path = file(
      `[service]\nprt = 1\nport = 70000\ndatabase = 5\n[[service.tokens]]\nname = "ci"\ntoken = "0123456789abcdefSECRET"\nenv = "X"`,
    );
    const thrown = refusalOf(path);
    expect(thrown).toMatch(/service\.port/);
    expect(thrown).toMatch(/service\.prt.*port/s);
    expect(thrown).toMatch(/exactly one of token/);
    expect(thrown).not.toMatch(/SECRET/);
  });
});
