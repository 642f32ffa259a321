import { isIPv4 } from 'node:net';
import { ConfigError } from '../config-error.js';
import { HOST_NAME, type HttpAccess } from './http-gate.js';

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
