import { BlockList, isIPv4, isIPv6 } from 'node:net';

// The registries of special-purpose addresses (RFC 6890), multicast and reserved space included.
const IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
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

/** Inside the global unicast space: protocol assignments with Teredo, examples, 6to4. */
const IPV6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special4 = new BlockList();
for (const [network, prefix] of IPV4) special4.addSubnet(network, prefix, 'ipv4');
const special6 = new BlockList();
for (const [network, prefix] of IPV6) special6.addSubnet(network, prefix, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** IPv4-mapped addresses (RFC 4291) and those of a NAT64 (RFC 6052): the last 32 bits are IPv4. */
const CARRIES_IPV4 = ['::ffff:', '64:ff9b::'];

/**
 * Whether an address is outside the public internet: private, loopback, link-local, shared,
 * multicast, unspecified, reserved, or an IPv6 form of such an IPv4 address. What is no IP address
 * counts as outside.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return special4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return true;
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const carried = carriedIpv4(canonical);
  if (carried !== null) return special4.check(carried, 'ipv4');
  return !global6.check(canonical, 'ipv6') || special6.check(canonical, 'ipv6');
}

/** @param canonical as URLs write it (RFC 5952, with no dotted part) */
function carriedIpv4(canonical: string): string | null {
  const prefix = CARRIES_IPV4.find((start) => canonical.startsWith(start));
  if (prefix === undefined) return null;
  const groups = canonical.slice(prefix.length).split(':');
  // A longer rest has bits in between, which belong to another network.
  if (groups.length > 2 || groups.includes('')) return null;
  const [high = 0, low = 0] = ['0', ...groups].slice(-2).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
