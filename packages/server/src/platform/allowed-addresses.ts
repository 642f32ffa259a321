import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** The private addresses that the service may call for tenants. Public addresses are always allowed. */
export interface AllowedAddresses {
  /**
   * The reason why a host may not be called at an address; null if it may.
   * @param host name or address, without port and brackets
   * @param address one of the host's addresses
   */
  refusal(host: string, address: string): string | null;
}

/** An invalid entry of the list. The message names the entry and the remedy. */
export class AllowedAddressesError extends Error {
  override readonly name = 'AllowedAddressesError';
}

const ALLOW_VARIABLE = 'LEDGER_ALLOW_PRIVATE_ADDRESSES';

/** The parsed list. */
interface Allowed {
  readonly all: boolean;
  readonly names: ReadonlySet<string>;
  /** Single addresses in canonical form. */
  readonly addresses: ReadonlySet<string>;
  readonly networks: BlockList;
}

/**
 * @param text `true` for every private address, or a comma-separated list of host names, addresses
 *   and networks (CIDR); `false` or empty for none
 * @throws AllowedAddressesError
 */
export function readAllowedAddresses(text: string | undefined): AllowedAddresses {
  const allowed = readList(text?.trim() ?? '');
  return {
    refusal(host, address) {
      if (!isPrivateAddress(address)) return null;
      const plain = plainAddress(address);
      if (plain !== null && allowed.addresses.has(plain)) return null;
      if (isMetadataAddress(address)) {
        return (
          'is an address of a cloud metadata service, which holds credentials: only this exact address in ' +
          `${ALLOW_VARIABLE} allows it`
        );
      }
      if (allowed.all || allowed.names.has(nameOf(host)) || isWithin(allowed.networks, plain)) {
        return null;
      }
      return (
        'is in a private network: if that is intended, the operator of the service allows it with ' +
        `${ALLOW_VARIABLE}=${host}`
      );
    },
  };
}

function readList(text: string): Allowed {
  const names = new Set<string>();
  const addresses = new Set<string>();
  const networks = new BlockList();
  if (text === 'true') return { all: true, names, addresses, networks };
  const entries = text === 'false' || text === '' ? [] : text.split(',');
  for (const entry of entries.map((part) => part.trim())) {
    const single = plainAddress(entry);
    if (single !== null) addresses.add(single);
    else if (entry.includes('/')) addNetwork(networks, entry);
    else if (isName(entry)) names.add(nameOf(entry));
    else throw notReadable(entry);
  }
  return { all: false, names, addresses, networks };
}

/** RFC 1123, plus the underscores of container networks. A name that ends in a number is an address. */
function isName(entry: string): boolean {
  return (
    entry.length <= 253 && /^(?:[a-z0-9_-]{1,63}\.)*(?!\d+\.?$)[a-z0-9_-]{1,63}\.?$/i.test(entry)
  );
}

function addNetwork(networks: BlockList, entry: string): void {
  const [address = '', bits = '', ...rest] = entry.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const max = family === 'ipv4' ? 32 : 128;
  const isRead = isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && rest.length === 0;
  if (!isRead || Number(bits) > max || address.includes('%')) throw notReadable(entry);
  networks.addSubnet(address, Number(bits), family);
}

function notReadable(entry: string): AllowedAddressesError {
  return new AllowedAddressesError(
    `"${entry}" is not a host name, address or network: write books.internal, 127.0.0.1 or ` +
      '10.0.0.0/8 without a port, separated by commas, or true for every private address',
  );
}

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, '');

function isWithin(networks: BlockList, address: string | null): boolean {
  if (address === null) return false;
  return networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

// The special-purpose address registries (RFC 6890), plus multicast and reserved space.
const IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Public in the registries, but used by Azure as a host channel for each machine.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Within global unicast: protocol assignments with Teredo, documentation, 6to4. */
const IPV6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special4 = blockList(IPV4, 'ipv4');
const special6 = blockList(IPV6, 'ipv6');
const global6 = blockList([['2000::', 3]], 'ipv6');

/** IPv4-mapped (RFC 4291) and NAT64 (RFC 6052) addresses: the last 32 bits are an IPv4 address. */
const CARRIES_IPV4 = ['::ffff:', '64:ff9b::'];

/** Cloud metadata services, which expose credentials. */
const METADATA4: [network: string, prefix: number][] = [
  // AWS, Google, Azure, Oracle, IBM, DigitalOcean and others; 169.254.170.2 and .23 for containers.
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  // Alibaba.
  ['100.100.100.200', 32],
  // Oracle.
  ['192.0.0.192', 32],
];

const METADATA6: [network: string, prefix: number][] = [
  // AWS, Google, Scaleway.
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['fd00:42::42', 128],
  // Forms that embed an IPv4 address, which a router may translate: local NAT64 (RFC 8215),
  // 6to4 (RFC 3056), Teredo (RFC 4380), IPv4-translated (RFC 7915).
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  ['::ffff:0:0:0', 96],
];

/** IPv4-compatible addresses (RFC 4291), other than `::` and `::1`. */
const COMPATIBLE6: [network: string, prefix: number][] = [['::', 96]];

const metadata4 = blockList(METADATA4, 'ipv4');
const metadata6 = blockList(METADATA6, 'ipv6');
const compatible6 = blockList(COMPATIBLE6, 'ipv6');

/**
 * Whether an address is, or may be routed to, a cloud metadata service. Such an address must be allowed
 * explicitly; names and networks do not allow it.
 */
function isMetadataAddress(address: string): boolean {
  const plain = plainAddress(address);
  if (plain === null) return false;
  if (isIPv4(plain)) return metadata4.check(plain, 'ipv4');
  if (plain === '::' || plain === '::1') return false;
  return metadata6.check(plain, 'ipv6') || compatible6.check(plain, 'ipv6');
}

/** The canonical form of an address; embedded IPv4 addresses become IPv4. Null if it is not an IP address. */
function plainAddress(address: string): string | null {
  if (isIPv4(address)) return address;
  if (!isIPv6(address) || address.includes('%')) return null;
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  return carriedIpv4(canonical) ?? canonical;
}

/**
 * Whether an address is outside the public internet: private, loopback, link-local, shared, multicast,
 * unspecified, reserved, or an IPv6 form of such an IPv4 address. Text that is not an IP address
 * counts as outside.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = plainAddress(address);
  if (plain === null) return true;
  if (isIPv4(plain)) return special4.check(plain, 'ipv4');
  return !global6.check(plain, 'ipv6') || special6.check(plain, 'ipv6');
}

/** @param canonical in URL notation (RFC 5952, without a dotted part) */
function carriedIpv4(canonical: string): string | null {
  const prefix = CARRIES_IPV4.find((start) => canonical.startsWith(start));
  if (prefix === undefined) return null;
  const groups = canonical.slice(prefix.length).split(':');
  // A longer rest has further bits set, which belong to another network.
  if (groups.length > 2 || groups.includes('')) return null;
  const [high = 0, low = 0] = ['0', ...groups].slice(-2).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(
  networks: readonly (readonly [network: string, prefix: number])[],
  family: 'ipv4' | 'ipv6',
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}
