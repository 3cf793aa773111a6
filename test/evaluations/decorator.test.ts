import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeArguments } from "../../src/base/index.js";

test("a decorated class is registered when its module is loaded", async () => {
  const file = fileURLToPath(new URL("./fixtures/decorated.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeArguments(), file], {
    timeout: 25_000,
  });
  expect(stdout).toBe("true decorated_ppl\n");
});
