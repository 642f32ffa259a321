import type { Server } from 'node:net';
import type { Config } from '../config.js';

const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/**
 * The address under which callers reach the service, without a slash at its end: what is configured,
 * else the one it listens on. Empty where neither tells it: on all addresses, or behind a proxy.
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

/** The address that a server listens on, null where that is no address of a network. */
export function listeningAddress(server: Server): string | null {
  const address = server.address();
  if (address === null || typeof address === 'string') return null;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
