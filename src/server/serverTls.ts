import { createPrivateKey, type KeyObject } from "node:crypto";
import { type Clock, messageOf, sentence } from "../base/index.js";
import type { Config } from "../config/index.js";
import { readCertificates, readPem, tlsInvalid } from "../protocol/index.js";

/** What a server speaks TLS with. */
export interface ServerTls {
  /** The server's certificate and those that vouch for it, PEM. */
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the server's certificate and key, and checks what a connection would fail by later.
 * @returns undefined for a server that does not speak TLS
 * @throws TLS_INVALID when a file cannot be read or used, the two do not belong together, or the certificate is not valid
 * today
 */
export async function readServerTls(server: Config["server"], clock: Clock): Promise<ServerTls | undefined> {
  const { tls_cert: certFile, tls_key: keyFile } = server;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const { text: cert, certificates } = await readCertificates(certFile, "server.tls_cert");
  const [certificate] = certificates;
  const key = await readPem(keyFile, "server.tls_key");
  if (!certificate.checkPrivateKey(privateKey(key, keyFile))) {
    throw tlsInvalid("server.tls_key", keyFile, `is not the key of the first certificate in ${certFile}.`);
  }
  const { validFrom, validTo } = certificate;
  const now = clock.now();
  if (now < Date.parse(validFrom)) {
    throw tlsInvalid(
      "server.tls_cert",
      certFile,
      `is not valid before ${validFrom}; check this machine's clock.`,
    );
  }
  if (now > Date.parse(validTo)) {
    throw tlsInvalid("server.tls_cert", certFile, `has expired on ${validTo}: get a new certificate.`);
  }
  return { cert, key };
}

function privateKey(text: string, file: string): KeyObject {
  if (text.includes("ENCRYPTED")) {
    throw tlsInvalid(
      "server.tls_key",
      file,
      "is locked by a password: write it without (openssl pkey -in FILE -out FILE).",
    );
  }
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw tlsInvalid("server.tls_key", file, `holds no private key in PEM: ${sentence(messageOf(error))}`);
  }
}
