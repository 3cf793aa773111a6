import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { testService } from "../support/testService.js";

const page = temporaryFolder("page");
mkdirSync(join(page, "assets"));
writeFileSync(join(page, "index.html"), "<title>Elenchus</title>");
writeFileSync(join(page, "assets", "app-1a2b.js"), "1");
const token = `tokens=[{ name = "a", token = "0123456789abcdef" }]`;
const { ask } = await testService({ page, set: [token] });
const html = { headers: { accept: "text/html" } };

it("the page is served to anybody", async () => {
  const { status, text, headers } = await ask("GET", "/", undefined, html);
  expect([status, text]).toEqual([200, "<title>Elenchus</title>"]);
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*connect-src 'self'/);
  expect((await ask("GET", "/assets/app-1a2b.js")).headers["cache-control"]).toMatch(/immutable/);
});

it("what is not there is an error, also for who would take a page", async () => {
  for (const url of ["/api/nothing", "/v1/nothing", "/evals/nothing", "/runs/some-run", "/assets/none.js"]) {
    const { status, json } = await ask("GET", url, undefined, html);
    expect(status).toBe(404);
    expect(json.error.code).toBe("NOT_FOUND");
  }
  expect((await ask("POST", "/runs/x")).status).toBe(404);
  expect((await ask("GET", "/assets/..%2f..%2fetc%2fpasswd")).status).not.toBe(200);
});
