import type { FastifyContextConfig } from 'fastify';

/** The ways to authenticate. Each operation lists those that it accepts. */
export const SECURITY_SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-Ledger-Key', description: 'An API key.' },
  session: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
  keyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: 'An API key, for clients that cannot send a header. Logs do not show it.',
  },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'A ticket of POST /stream/tickets, which opens the stream once.',
  },
  signature: {
    type: 'apiKey',
    in: 'query',
    name: 'signature',
    description: 'The signature of a download link, together with its other parameters.',
  },
} as const;

export type SecurityScheme = keyof typeof SECURITY_SCHEMES;

/** The ways that a route accepts, each an alternative to the others. */
export function securityOf(config: FastifyContextConfig): SecurityScheme[] {
  if (config.permission === undefined) return [];
  const schemes: SecurityScheme[] = config.refusesSessions === true ? ['key'] : ['key', 'session'];
  if (config.keyInQuery !== undefined) schemes.push('keyInQuery');
  if (config.handshake === true) schemes.push('ticket');
  if (config.signedQuery === true) schemes.push('signature');
  return schemes;
}

/** A way to authenticate in AsyncAPI 3.0, which calls an API key of HTTP `httpApiKey`. */
export function asyncApiScheme(name: SecurityScheme) {
  const scheme = SECURITY_SCHEMES[name];
  return scheme.type === 'apiKey' ? { ...scheme, type: 'httpApiKey' } : scheme;
}
