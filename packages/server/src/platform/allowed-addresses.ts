import { BlockList, isIP, isIPv4 } from 'node:net';
import { isMetadataAddress, isPrivateAddress, plainAddress } from './private-address.js';

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
