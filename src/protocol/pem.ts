import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ElenchusError, messageOf, sentence } from "../base/index.js";

/** Certificates of a file, in its order. */
export interface CertificateFile {
  readonly text: string;
  readonly certificates: readonly [X509Certificate, ...X509Certificate[]];
}

/**
 * Reads a file of certificates in PEM.
 * @param key of the configuration, for messages
 * @throws TLS_INVALID
 */
export async function readCertificates(file: string, key: string): Promise<CertificateFile> {
  const text = await readPem(file, key);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    const [first, ...others] = blocks.map((block) => new X509Certificate(block));
    if (first !== undefined) return { text, certificates: [first, ...others] };
  } catch (error) {
    throw tlsInvalid(key, file, `holds a certificate that cannot be read: ${sentence(messageOf(error))}`);
  }
  throw tlsInvalid(key, file, 'holds no certificate: expected PEM, "-----BEGIN CERTIFICATE-----".');
}

/** @throws TLS_INVALID when the file cannot be read */
export async function readPem(file: string, key: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw tlsInvalid(key, file, `cannot be read: ${sentence(messageOf(error))}`);
  }
}

/** @param what is wrong with the file, as the rest of a sentence that begins with its name */
export function tlsInvalid(key: string, file: string, what: string): ElenchusError {
  return new ElenchusError("TLS_INVALID", `${key}: ${file} ${what}`, {
    details: { path: key.split("."), file },
  });
}
