import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AllowedAddresses } from './allowed-addresses.js';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout of the whole exchange, in ms. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/** Header names are in lower case. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** The request failed. The message names the host and the reason, and none of the data sent. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

/** Resolves all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Calls http and https URLs configured by tenants, each over a new connection. Redirects are not
 * followed. A host is refused if any of its addresses is private and not allowed. The connection uses a
 * checked address; the name is not resolved again. The returned function throws OutboundError if there
 * is no complete response in time.
 */
export function createOutbound(
  allowed: AllowedAddresses,
  resolve: Resolve = (host) => lookup(host, { all: true, verbatim: true }),
): Outbound {
  return async (options) => {
    const url = readUrl(options.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) refusePrivate(allowed, url, host, [host]);
    const checkedLookup: LookupFunction = (name, { all }, done) => {
      resolve(name)
        .then((found) => {
          refusePrivate(
            allowed,
            url,
            host,
            found.map(({ address }) => address),
          );
          const [first] = found;
          if (first === undefined) throw new OutboundError(`${url.host} has no address`);
          return { found: [...found], first };
        })
        .then(
          ({ found, first }) =>
            all === true ? done(null, found) : done(null, first.address, first.family),
          (error: unknown) => done(failure(url, error), []),
        );
    };
    return exchange(url, host, options, checkedLookup);
  };
}

function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError('the URL to call is not well formed');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError(`${url.host}: only http and https URLs are allowed`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError(`${url.host}: a URL with a user name or password is not allowed`);
  }
  return url;
}

function refusePrivate(
  allowed: AllowedAddresses,
  url: URL,
  host: string,
  addresses: readonly string[],
): void {
  for (const address of addresses) {
    const refusal = allowed.refusal(host, address);
    if (refusal !== null) throw new OutboundError(`${url.host} ${refusal}`);
  }
}

function exchange(
  url: URL,
  hostname: string,
  options: OutboundRequest,
  checkedLookup: LookupFunction,
): Promise<OutboundAnswer> {
  const { method, headers = {}, body, timeoutMs = TIMEOUT_MS } = options;
  const { maxBytes = MAX_BYTES } = options;
  return new Promise((resolve, reject) => {
    const call = url.protocol === 'https:' ? httpsRequest : httpRequest;
    let request: ClientRequest;
    try {
      request = call({
        method,
        hostname,
        port: url.port,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, ...ownHeaders(body) },
        // Each request has its own connection, closed after the response.
        agent: false,
        lookup: checkedLookup,
      });
    } catch {
      reject(new OutboundError(`${url.host}: a header contains an invalid character`));
      return;
    }
    const end = (error: unknown) => {
      clearTimeout(timer);
      reject(failure(url, error));
      request.destroy();
    };
    const late = new OutboundError(`${url.host} did not answer within ${timeoutMs} ms`);
    const timer = setTimeout(() => end(late), timeoutMs);
    request.on('error', end);
    // After the response has begun, its own end or error follows this event.
    let answering = false;
    request.on('close', () => {
      if (!answering) end(new OutboundError(`${url.host} closed the connection early`));
    });
    request.on('response', (response) => {
      answering = true;
      readBody(url, response, maxBytes).then((text) => {
        clearTimeout(timer);
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response),
          body: text,
        });
        request.destroy();
      }, end);
    });
    request.end(body);
  });
}

function ownHeaders(body: string | undefined): Record<string, string> {
  return {
    connection: 'close',
    'accept-encoding': 'identity',
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  };
}

async function readBody(url: URL, response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  const tooLarge = new OutboundError(`${url.host} answered with more than ${maxBytes} bytes`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  for await (const part of response) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > maxBytes) throw tooLarge;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

// System errors contain addresses and received bytes, so only their code is shown.
function failure({ host }: URL, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const reason = REASONS.get(code) ?? 'the connection failed';
  return new OutboundError(`${host} cannot be reached: ${reason} (${code})`);
}

const REASONS = new Map([
  ['ENOTFOUND', 'the name is not known'],
  ['EAI_AGAIN', 'the name could not be looked up'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was closed early'],
  ['ETIMEDOUT', 'the connection took too long'],
  ['EHOSTUNREACH', 'there is no route to the host'],
  ['ENETUNREACH', 'there is no route to the network'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
]);
