import type { Server } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/**
 * The public base URL of the service, without a trailing slash: the configured one, or the address
 * that it listens on. Only its path if neither identifies it: all addresses, or behind a proxy.
 */
export function publicAddress(
  server: Server,
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
  request: Pick<FastifyRequest, 'headers' | 'ips'>,
): string {
  if (publicUrl !== null) return publicUrl;
  const address = server.address();
  const isOneAddress = typeof address === 'object' && !EVERY_ADDRESS.has(address?.address ?? '');
  const isKnown = isOneAddress && trustProxy.length === 0;
  return isKnown ? (listeningAddress(server) ?? '') : publicPath({ publicUrl }, request);
}

/**
 * The path below which a proxy makes the service public, without a slash at the end: that of the public URL,
 * or what a trusted proxy says. Empty for none.
 */
export function publicPath(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { headers, ips = [] }: Pick<FastifyRequest, 'headers' | 'ips'>,
): string {
  if (publicUrl !== null) return new URL(publicUrl).pathname.replace(/\/$/, '');
  const prefix = headers['x-forwarded-prefix'];
  // The list has more than the caller itself if the caller is a trusted proxy.
  const isTrusted = ips.length > 1 && typeof prefix === 'string' && PREFIX.test(prefix);
  return isTrusted ? prefix.replace(/\/$/, '') : '';
}

const PREFIX = /^(?:\/[\w.~-]{1,100}){1,10}\/?$/;

/** The URL that a server listens on; null if it is not a network address. */
export function listeningAddress(server: Server): string | null {
  const address = server.address();
  if (address === null || typeof address === 'string') return null;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
