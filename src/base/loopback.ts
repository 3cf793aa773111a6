import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an address or a host's name is this machine itself, and nothing that others could reach. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  const version = isIP(bare);
  if (version === 0) return bare === "localhost" || bare.endsWith(".localhost");
  return loopback.check(bare, version === 4 ? "ipv4" : "ipv6");
}
