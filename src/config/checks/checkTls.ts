import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** A certificate is of no use without its key. */
export function checkTls({ server }: Draft, report: Report): void {
  const { tls_cert: cert, tls_key: key, use_https: https } = server;
  if ((cert === undefined) !== (key === undefined)) {
    const [missing, given] = cert === undefined ? ["tls_cert", "tls_key"] : ["tls_key", "tls_cert"];
    report.error("CONFIG_CONFLICT", ["server", given], { expected: `server.${missing} beside it` });
  } else if (cert !== undefined && https === false) {
    report.error("CONFIG_CONFLICT", ["server", "use_https"], {
      expected: "true, or nothing: with server.tls_cert the server speaks TLS alone",
    });
  }
}
