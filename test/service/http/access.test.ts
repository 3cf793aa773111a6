import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLogger, isLoopback } from "../../../src/base/index.js";
import { readServiceConfig } from "../../../src/config/index.js";
import { AccessTokens } from "../../../src/service/access/accessTokens.js";
import { hostOf } from "../../../src/service/access/hostOf.js";
import { serviceContext } from "../../../src/service/http/serviceContext.js";
import { startService } from "../../../src/service/http/startService.js";
import { openContext } from "../../../src/service/openContext.js";
import { startJobs } from "../../../src/service/startJobs.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { testService } from "../support/testService.js";

const READER = "reader-secret-0123456789";
const RUNNER = "runner-secret-0123456789";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const TOKENS = `tokens=[{ name = "reader", scopes = ["read"], sha256 = "${sha256(READER)}" }, { name = "runner", scopes = ["run", "read"], env = "RUNNER" }]`;

describe("a service with tokens", async () => {
  const lines: string[] = [];
  const { ask } = await testService({
    set: [TOKENS, "rate_limit=40"],
    environment: { RUNNER },
    logger: createLogger("debug", (line) => lines.push(line)),
  });
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it("answers nobody without a token that it knows, by one shape of error", async () => {
    for (const more of [{}, as("wrong-secret-0123456789"), { headers: { authorization: READER } }]) {
      const { status, json, headers } = await ask("GET", "/v1/datasets", undefined, more);
      expect(status).toBe(401);
      expect(json.error).toMatchObject({
        code: "UNAUTHENTICATED",
        type: "authentication_error",
        param: null,
      });
      expect(headers["www-authenticate"]).toBe("Bearer");
    }
  });

  it("lets each token do what its scopes say and no more", async () => {
    expect((await ask("GET", "/v1/datasets", undefined, as(READER))).status).toBe(200);
    const refused = await ask("POST", "/v1/datasets", { purpose: "x" }, as(READER));
    expect(refused.status).toBe(403);
    expect(refused.json.error.message).toMatch(/"reader".*scope "write"/);
    expect((await ask("POST", "/v1/completions", {}, as(RUNNER))).status).toBe(403);
  });

  it("tells without a token that it is there, and what it can do", async () => {
    expect((await ask("GET", "/healthz")).json).toMatchObject({ status: "ok" });
    expect((await ask("GET", "/docs/json")).json.paths["/v1/datasets/{dataset_id}"]).toHaveProperty("get");
  });

  it("never writes a token into its log", async () => {
    await ask("GET", `/v1/datasets?token=${READER}`, undefined, as(READER));
    expect(lines.some((line) => line.includes("GET /v1/datasets 200"))).toBe(true);
    expect(lines.join("\n")).not.toMatch(/secret/);
  });

  it("counts the requests of each token, and of addresses that guess", async () => {
    const statuses = [];
    for (let turn = 0; turn < 45; turn++) {
      statuses.push((await ask("GET", "/v1/datasets", undefined, as("guess-0123456789abcdef"))).status);
    }
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses.at(-1)).toBe(429);
    expect((await ask("GET", "/v1/datasets", undefined, as(RUNNER))).status).toBe(200);
    expect((await ask("GET", "/healthz")).status).toBe(200);
  });
});

describe("a service without tokens", async () => {
  const { ask } = await testService();

  it("answers this machine", async () => {
    expect((await ask("GET", "/v1/datasets")).status).toBe(200);
  });

  it.each([
    ["under a name that a web page lets point here", { host: "evil.example" }],
    ["from a page of another origin", { host: "localhost:8321", origin: "https://evil.example" }],
    [
      "from a page of another site, as the browser says",
      { host: "localhost", "sec-fetch-site": "cross-site" },
    ],
  ])("answers nothing %s", async (_, headers) => {
    const { status, json } = await ask("GET", "/v1/datasets", undefined, { headers });
    expect(status).toBe(403);
    expect(json.error.code).toBe("PERMISSION_DENIED");
  });

  it("gives no page of another origin leave to read", async () => {
    const { headers } = await ask("GET", "/v1/datasets", undefined, {
      headers: { host: "localhost", origin: "http://localhost" },
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["content-security-policy"]).toMatch(/frame-ancestors 'none'/);
  });

  it("does not begin on an address that others reach", async () => {
    const { settings } = readServiceConfig(undefined, {
      base: temporaryFolder("open"),
      set: ["service.address=0.0.0.0", "service.port=0"],
    });
    const context = await openContext(settings);
    const jobs = await startJobs(context);
    await expect(startService(serviceContext(context, jobs))).rejects.toMatchObject({
      code: "CONFIG_CONFLICT",
    });
    await jobs.close();
    await context.close();
  });
});

describe("tokens", () => {
  const folder = temporaryFolder("tokens");

  it("come from files and variables, without the line end", () => {
    writeFileSync(join(folder, "token"), `${READER}\n`);
    const tokens = new AccessTokens(
      [
        { name: "file", scopes: ["read"], file: join(folder, "token") },
        { name: "env", scopes: ["admin"], env: "RUNNER" },
      ],
      { RUNNER },
    );
    expect(tokens.find(READER)?.name).toBe("file");
    expect(tokens.find(RUNNER)?.name).toBe("env");
    expect(tokens.find("")).toBeUndefined();
  });

  it("that are missing, too short or twice the same are refused", () => {
    const one = { name: "a", scopes: ["read" as const] };
    expect(() => new AccessTokens([{ ...one, env: "NOWHERE" }], {})).toThrow(/NOWHERE.*at least 16/);
    expect(() => new AccessTokens([{ ...one, file: join(folder, "absent") }], {})).toThrow(/cannot be read/);
    expect(
      () =>
        new AccessTokens([
          { ...one, token: READER },
          { ...one, name: "b", token: READER },
        ]),
    ).toThrow(/the same secret/);
  });
});

it("knows which addresses are this machine", () => {
  for (const host of ["127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost", "a.localhost"]) {
    expect(isLoopback(host), host).toBe(true);
  }
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "localhost.example", "127.0.0.1.example", ""]) {
    expect(isLoopback(host), host).toBe(false);
  }
  expect(hostOf("http://localhost:80")).toBe("localhost");
  expect(hostOf("[::1]:8321")).toBe("[::1]");
});
