import type { Server } from 'node:net';
import type { Config } from '../config.js';

const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/**
 * The public base URL of the service, without a trailing slash: the configured one, or the address
 * that it listens on. Empty if neither identifies it: all addresses, or behind a proxy.
 */
export function publicAddress(
  server: Server,
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
): string {
  if (publicUrl !== null) return publicUrl;
  const address = server.address();
  const isOneAddress = typeof address === 'object' && !EVERY_ADDRESS.has(address?.address ?? '');
  return isOneAddress && trustProxy.length === 0 ? (listeningAddress(server) ?? '') : '';
}

/** The URL that a server listens on; null if it is not a network address. */
export function listeningAddress(server: Server): string | null {
  const address = server.address();
  if (address === null || typeof address === 'string') return null;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
