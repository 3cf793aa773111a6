import { type PeerCertificate, rootCertificates } from "node:tls";
import type { Config } from "../config/index.js";
import { readCertificates, type ServerTrust } from "../protocol/index.js";

/**
 * By what a client knows that a server is the one it is looking for: `clients.tls_ca`, else the system's certificates.
 * @returns undefined for what Node does by itself
 * @throws TLS_INVALID
 */
export async function serverTrust({ clients }: Config): Promise<ServerTrust | undefined> {
  if (clients.tls_ca === undefined) return undefined;
  return { ca: [(await readCertificates(clients.tls_ca, "clients.tls_ca")).text] };
}

/**
 * The same for a client on the server's own machine, which has the server's certificate: it must be that one, whatever
 * name it is for, and may vouch for itself.
 * @throws TLS_INVALID
 */
export async function ownServerTrust(config: Config): Promise<ServerTrust | undefined> {
  const { tls_cert: file } = config.server;
  if (file === undefined) return serverTrust(config);
  const { text, certificates } = await readCertificates(file, "server.tls_cert");
  const more = (await serverTrust(config))?.ca ?? rootCertificates;
  const [own] = certificates;
  return {
    ca: [text, ...more],
    checkServerIdentity: (_host: string, { raw }: PeerCertificate) =>
      own.raw.equals(raw) ? undefined : notOwn(),
  };
}

function notOwn(): Error {
  return Object.assign(new Error("the certificate is not that of server.tls_cert"), {
    code: "ERR_TLS_NOT_OWN",
  });
}
