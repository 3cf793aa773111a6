import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { ElenchusError, messageOf } from "../../base/index.js";

/** An address of a host, as sockets want it. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds the addresses of a host. Default: the system's resolver. */
export type Resolver = (host: string) => Promise<readonly HostAddress[]>;

/** How a host is looked up, and what to do where it is refused. */
export interface PublicAddressOptions {
  readonly allowPrivate?: boolean;
  readonly resolver?: Resolver;
  /** Without a full stop. Default: of data. */
  readonly mend?: string;
}

const MEND_OF_DATA = "Put the rows at a public address or upload them";

/**
 * The address to connect to for a host: it is looked up once, and the connection is made to what was looked at, so
 * that a name cannot mean another machine by then. A host with any address of a network of its own (this machine,
 * a private or a link-local network, the metadata service of a cloud) is refused.
 * @param host of a URL, an IPv6 address in brackets
 * @throws ADDRESS_REFUSED; INPUT_UNREADABLE where the name is not known
 */
export async function publicAddress(
  host: string,
  { allowPrivate = false, resolver = systemResolver, mend = MEND_OF_DATA }: PublicAddressOptions = {},
): Promise<HostAddress> {
  const addresses = await addressesOf(host.replace(/^\[|\]$/g, ""), resolver);
  const hidden = addresses.find(({ address }) => !isPublic(address));
  if (hidden === undefined || allowPrivate) return addresses[0]!;
  const named = hidden.address === host ? host : `${host} (${hidden.address})`;
  throw new ElenchusError(
    "ADDRESS_REFUSED",
    `${named} is no public address, and requests reach no network of this machine. ${mend}; who runs the service can set service.allow_private_addresses.`,
    { details: { host } },
  );
}

async function addressesOf(host: string, resolver: Resolver): Promise<readonly HostAddress[]> {
  if (ipaddr.isValid(host)) return [{ address: host, family: ipaddr.parse(host).kind() === "ipv6" ? 6 : 4 }];
  try {
    const found = await resolver(host);
    if (found.length > 0) return found;
  } catch (error) {
    throw unknownHost(host, messageOf(error));
  }
  throw unknownHost(host, "it has no address");
}

async function systemResolver(host: string): Promise<HostAddress[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** Addresses of IPv4 in those of IPv6 are looked at as what they are. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

function unknownHost(host: string, why: string): ElenchusError {
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `The host ${host} cannot be found: ${why}. Check the address.`,
  );
}
