import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { ConfigError } from '../config-error.js';

export interface HttpAccessSettings {
  /** The name or address to listen on. */
  readonly host: string;
  readonly token: string | null;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const;
/** As many characters as 16 random bytes have in hexadecimal. */
const MIN_TOKEN = 32;

/** @throws ConfigError if others could call without a token, or a value is not valid */
export function httpAccess(settings: HttpAccessSettings): HttpAccess {
  const { host, token, allowedHosts, allowedOrigins } = settings;
  if (token === null && !isLoopback(host)) {
    throw new ConfigError(
      `${host} can be reached by others: set LEDGER_MCP_TOKEN or --bearer-file, or listen on 127.0.0.1`,
    );
  }
  if (token !== null && !/^[!-~]{32,1000}$/.test(token)) {
    throw new ConfigError(
      `the token must have ${MIN_TOKEN} to 1000 characters without spaces: make one with openssl rand -hex 32`,
    );
  }
  const hosts = [
    ...LOOPBACK_NAMES,
    host.includes(':') ? `[${host}]` : host,
    ...allowedHosts.map(requireHost),
  ];
  return {
    hosts: new Set(hosts.map((name) => name.toLowerCase())),
    origins: new Set(allowedOrigins.map(requireOrigin)),
    token,
  };
}

function requireHost(name: string): string {
  if (HOST_NAME.test(name)) return name;
  throw new ConfigError(
    `--allow-host is ${name}: it must be a name or an address without a port, such as mcp.example.com`,
  );
}

function requireOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin) {
    throw new ConfigError(
      `--allow-origin is ${origin}: it must be an origin such as https://app.example.com`,
    );
  }
  return origin;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Who may call the server over HTTP. */
export interface HttpAccess {
  /** Names and addresses that `Host` may have, in lower case. Its port does not matter. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of pages that may call, such as `https://app.example.com`. */
  readonly origins: ReadonlySet<string>;
  /** The bearer token that is required; null: none. */
  readonly token: string | null;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A name or an address as `Host` has it, without a port. */
const HOST_NAME = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i;
const PORT = /:[0-9]{1,5}$/;
const PATH = '/mcp';
const METHODS = { Allow: 'POST' };

/** A request that must not reach the tools. Each check reads headers alone. */
export function refusalOf(request: IncomingMessage, access: HttpAccess): Refusal | null {
  return (
    refuseSource(request, access) ?? refuseCaller(request, access.token) ?? refuseForm(request)
  );
}

/** A page in a browser must be a known one, whatever name it reaches this server by. */
export function refuseSource({ headers }: IncomingMessage, access: HttpAccess): Refusal | null {
  const host = (headers.host ?? '').replace(PORT, '').toLowerCase();
  if (!HOST_NAME.test(host) || !access.hosts.has(host)) {
    return { status: 403, message: 'this host is not served: allow it with --allow-host' };
  }
  if (headers.origin !== undefined && !access.origins.has(headers.origin)) {
    return { status: 403, message: 'this origin may not call: allow it with --allow-origin' };
  }
  return null;
}

function refuseCaller({ headers }: IncomingMessage, token: string | null): Refusal | null {
  if (token === null) return null;
  const [, given] = /^Bearer ([!-~]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return null;
  const challenge = { 'WWW-Authenticate': 'Bearer' };
  return { status: 401, message: 'a valid bearer token is required', headers: challenge };
}

function refuseForm({ url = '', method, headers }: IncomingMessage): Refusal | null {
  if (url.split('?', 1)[0] !== PATH) return { status: 404, message: `MCP is served at ${PATH}` };
  if (method !== 'POST') {
    return {
      status: 405,
      message: 'send a POST: there are no sessions or streams',
      headers: METHODS,
    };
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json') {
    return { status: 415, message: 'Content-Type must be application/json' };
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return { status: 415, message: 'the body must not be compressed' };
  return null;
}

/** Digests have one length, so the time of a comparison says nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
