import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { manualClock, systemClock } from "../../src/base/index.js";
import { ownServerTrust, serverTrust } from "../../src/client/serverTrust.js";
import { readServerTls } from "../../src/server/index.js";
import { configOf, startFederation, type TestFederation } from "./support/federation.js";

const file = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const small = { total_clients: 1, per_round: 1 };
const configWith = (
  certificate: string,
  clients: Record<string, unknown> = {},
  key = certificate.replace(".pem", ".key.pem"),
) =>
  configOf({
    clients: { ...small, ...clients },
    server: { tls_cert: file(certificate), tls_key: file(key), port: 0 },
    trainer: { rounds: 1 },
  });

describe("a server with a certificate", () => {
  let federation: TestFederation;
  afterEach(() => federation?.close());

  it("speaks TLS with clients that are given the certificate that vouches for it", async () => {
    const config = configWith("own.pem", { tls_ca: file("own.pem") });
    federation = await startFederation(config);
    expect(federation.server.url).toMatch(/^https:/);
    federation.client(1, {}, { trust: await serverTrust(config) });
    expect((await federation.server.done).status).toBe("completed");
  });

  it("is known by a client that it started, whoever signed it and whatever name it is for", async () => {
    const config = configWith("signed.pem", { tls_ca: file("authority.pem") });
    federation = await startFederation(config);
    federation.client(1, {}, { trust: await ownServerTrust(config) });
    expect((await federation.server.done).status).toBe("completed");
  });

  it("is left at once by a client that does not trust it, which says why", async () => {
    federation = await startFederation(configWith("own.pem"));
    const refused = (message: RegExp) =>
      expect.objectContaining({ code: "TLS_INVALID", message: expect.stringMatching(message) });
    await expect(federation.client(1).done).rejects.toEqual(refused(/SELF_SIGNED.*clients\.tls_ca/));
    // Another server in its place has another certificate.
    const other = await ownServerTrust(configWith("signed.pem", { tls_ca: file("own.pem") }));
    await expect(federation.client(1, {}, { trust: other }).done).rejects.toEqual(
      refused(/not that of server.tls_cert/),
    );
  });

  it("is left by a client that looks for another name", async () => {
    const config = configWith("signed.pem", { tls_ca: file("authority.pem") });
    federation = await startFederation(config);
    const client = federation.client(1, {}, { trust: await serverTrust(config) });
    await expect(client.done).rejects.toMatchObject({
      code: "TLS_INVALID",
      message: expect.stringContaining("ALTNAME"),
    });
  });

  it("does not answer clients without TLS, nor a server without it those with", async () => {
    federation = await startFederation(configWith("own.pem"));
    const plain = federation.server.url.replace("https", "http");
    const client = federation.client(1, {}, { url: plain, connectSeconds: 0.5 });
    await expect(client.done).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    await federation.close();
    federation = await startFederation(configOf({ clients: small }));
    const url = federation.server.url.replace("http", "https");
    await expect(federation.client(1, {}, { url }).done).rejects.toMatchObject({ code: "TLS_INVALID" });
  });
});

describe("certificate files", () => {
  const read = (certificate: string, key?: string, clock = systemClock) =>
    readServerTls(configWith(certificate, {}, key).server, clock);
  const fails = (message: RegExp) => ({ code: "TLS_INVALID", message: expect.stringMatching(message) });

  it("are read before anything listens", async () => {
    const read = await readServerTls(configWith("own.pem").server, systemClock);
    expect(read).toEqual({
      cert: readFileSync(file("own.pem"), "utf8"),
      key: readFileSync(file("own.key.pem"), "utf8"),
    });
    expect(await readServerTls(configOf().server, systemClock)).toBeUndefined();
  });

  it("are refused with what is wrong and where", async () => {
    await expect(read("missing.pem")).rejects.toMatchObject(
      fails(/server\.tls_cert: .*missing\.pem cannot be read/),
    );
    await expect(read("own.key.pem", "own.key.pem")).rejects.toMatchObject(fails(/holds no certificate/));
    await expect(read("own.pem", "own.pem")).rejects.toMatchObject(
      fails(/server\.tls_key: .*holds no private key/),
    );
    await expect(read("own.pem", "other.key.pem")).rejects.toMatchObject(
      fails(/is not the key of the first/),
    );
    await expect(read("own.pem", "locked.key.pem")).rejects.toMatchObject(fails(/locked by a password/));
    const config = configOf({ clients: { tls_ca: file("make.sh") } });
    await expect(serverTrust(config)).rejects.toMatchObject(fails(/clients\.tls_ca: .*holds no certificate/));
  });

  it("are refused before and after their time", async () => {
    const at = (date: string) => manualClock(Date.parse(date));
    await expect(read("own.pem", "own.key.pem", at("2020-01-01"))).rejects.toMatchObject(
      fails(/not valid before/),
    );
    await expect(read("own.pem", "own.key.pem", at("2200-01-01"))).rejects.toMatchObject(
      fails(/has expired/),
    );
  });

  it("keep a server from starting", async () => {
    await expect(startFederation(configWith("own.pem", {}, "other.key.pem"))).rejects.toMatchObject({
      code: "TLS_INVALID",
    });
  });
});
