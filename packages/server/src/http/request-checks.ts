import type { IncomingMessage } from 'node:http';
import { LedgerError } from '@decision-ledger/contract/errors';
import { checker, queryChecker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { Http } from './types.js';

/** Characters of a host and port (RFC 3986, 3.2.2); empty if the target has no authority. */
const HOST = /^(?:\[[0-9A-Fa-f:.%A-Za-z]*\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::[0-9]*)?$/;

/** Refuses invalid request heads that the server would accept, or answer without the envelope. */
export function addHeadChecks(app: Http): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => done(problemOf(raw)));
}

function problemOf(request: IncomingMessage): LedgerError | undefined {
  const { expect } = request.headers;
  if (!hasOneHost(request)) {
    const message = 'an HTTP/1.1 request must have exactly one Host header, with a host';
    return new LedgerError('malformed_request', message, { headers: { connection: 'close' } });
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new LedgerError('expectation_failed', 'the only supported expectation is 100-continue');
  }
  return undefined;
}

/** RFC 9112, 3.2. */
function hasOneHost({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1 && HOST.test(headers.host);
}

const NOTHING = Type.Object({}, { additionalProperties: false });
const checkQuery = queryChecker(NOTHING);
const checkBody = checker(NOTHING, 'body');

/**
 * Refuses query parameters and bodies on authenticated routes that declare none. An absent optional body
 * becomes an empty object.
 */
export function addUndeclaredInput(app: Http): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { config, schema } = request.routeOptions;
    if (config.permission !== undefined) {
      if (schema?.querystring === undefined && !isEmpty(request.query)) checkQuery(request.query);
      if (schema?.body === undefined && isJson(request.body)) checkBody(request.body);
      if (config.hasOptionalBody === true) request.body ??= {};
    }
    done();
  });
}

function isEmpty(query: unknown): boolean {
  for (const _ in Object(query)) return false;
  return true;
}

/** Whether the body was parsed; some routes read its bytes themselves. */
function isJson(body: unknown): boolean {
  return body !== undefined && !Buffer.isBuffer(body);
}

interface Path {
  /** Null for a parameter, which matches any text. */
  readonly segments: readonly (string | null)[];
  readonly methods: Set<string>;
}

/**
 * Refuses unknown paths and methods before the key is checked or the body read: 405 with `Allow` for a
 * known path (RFC 9110, 15.5.6), else 404. A literal path takes precedence over one with parameters,
 * for all methods.
 */
export function addUnknownRoutes(app: Http): void {
  const named = new Map<string, Path>();
  const withIds = new Map<string, Path>();
  app.addHook('onRoute', ({ url, method }) => {
    const paths = url.includes(':') ? withIds : named;
    const path = paths.get(url) ?? { segments: segmentsOf(url), methods: new Set() };
    for (const name of [method].flat()) path.methods.add(name);
    paths.set(url, path);
  });
  app.addHook('onRequest', ({ is404, method, url }, _reply, done) => {
    // Most requests for a named path have nothing else in their URL.
    const own = named.get(url) ?? named.get(pathOf(url));
    if (own?.methods.has(method) === true || (own === undefined && !is404)) done();
    else done(refusal(own ?? findWithIds(withIds, pathOf(url))));
  });
}

/** Stands for the rest of a path, whatever its number of segments. */
const REST = '*';

function segmentsOf(url: string): (string | null)[] {
  return url.split('/').map((segment) => (segment.startsWith(':') ? null : segment));
}

/** The path as the router sees it: without query, also of an absolute URL (RFC 9112, 3.2.2). */
function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function findWithIds(paths: ReadonlyMap<string, Path>, wanted: string): Path | undefined {
  const parts = wanted.split('/');
  const fits = ({ segments }: Path) =>
    (segments.at(-1) === REST
      ? segments.length <= parts.length
      : segments.length === parts.length) &&
    segments.every((segment, at) =>
      segment === null ? parts[at] !== '' : segment === parts[at] || segment === REST,
    );
  return [...paths.values()].find(fits);
}

function refusal(path: Path | undefined): LedgerError {
  if (path === undefined) return new LedgerError('not_found', 'no such path');
  const allow = [...path.methods].sort().join(', ');
  return new LedgerError('method_not_allowed', `this path accepts only ${allow}`, {
    headers: { allow },
  });
}
