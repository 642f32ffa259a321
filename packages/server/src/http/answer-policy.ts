import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

/**
 * The answers that any cache may keep, by name. All others are private: a route or a file that is not
 * declared to be one of these cannot become public.
 */
export const PUBLIC_ANSWERS = {
  /** A file whose name contains a hash of its content. */
  asset: { caching: 'public, max-age=31536000, immutable', vary: ['Accept-Encoding'] },
  /** A page that is the same in every installation of this version. */
  page: { caching: 'public, no-cache', vary: ['Accept-Encoding'] },
  /** A tile of a public log, which never changes. */
  tile: { caching: 'public, max-age=31536000, immutable', vary: [] },
  /** The last checkpoint of a public log. */
  checkpoint: { caching: 'public, max-age=5', vary: [] },
} as const;

export type PublicAnswer = keyof typeof PUBLIC_ANSWERS;

/** What an answer depends on besides its address, for caches that ignore `Cache-Control`. */
const PRIVATE = {
  caching: 'private, no-store',
  vary: ['Accept', 'Authorization', 'X-Ledger-Key'],
} as const;

const declared = new WeakMap<ServerResponse, PublicAnswer>();

/** Declares that an answer is public if it succeeds. */
export function declarePublic(response: ServerResponse, name: PublicAnswer): void {
  declared.set(response, name);
}

/** Public answers succeed: a refusal may depend on its caller. */
const PUBLIC_STATUSES: ReadonlySet<number> = new Set([200, 304]);

/**
 * Headers that every response of the service has, whichever code writes it.
 * @param varied the header Vary that the answer has already
 */
export function policyHeaders(
  requestId: string,
  name?: PublicAnswer,
  varied?: OutgoingHttpHeader,
): Readonly<Record<string, string>> {
  const { caching, vary } = name === undefined ? PRIVATE : PUBLIC_ANSWERS[name];
  const headers: Record<string, string> = {
    'X-Request-ID': requestId,
    'Cache-Control': caching,
    'X-Content-Type-Options': 'nosniff',
  };
  const others =
    varied === undefined
      ? []
      : String(varied)
          .split(/\s*,\s*/)
          .filter(Boolean);
  const all = others.length === 0 ? vary : [...new Set([...vary, ...others])];
  if (all.length > 0) headers.Vary = all.join(', ');
  return headers;
}

export interface PolicyOptions {
  /** The id of an answer to which no request was assigned. */
  readonly nextRequestId: () => string;
  /** Whether connections are closed after their answer. */
  readonly isStopping: () => boolean;
}

export type ResponseClass = typeof ServerResponse;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * The class of all responses of a server. The policy is applied where the head of an answer is written,
 * so it holds whichever route, hook or library writes it.
 */
export function governedResponse({ nextRequestId, isStopping }: PolicyOptions): ResponseClass {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      const [text, given] = typeof reason === 'string' ? [reason, headers] : [undefined, reason];
      if (Array.isArray(given)) throw new TypeError('pass headers by name');
      for (const name in given) {
        const value = given[name];
        if (value !== undefined) this.setHeader(name, value);
      }
      const name = PUBLIC_STATUSES.has(status) ? declared.get(this) : undefined;
      const requestId = String(this.getHeader('x-request-id') ?? nextRequestId());
      const policy = policyHeaders(requestId, name, this.getHeader('vary'));
      for (const header in policy) this.setHeader(header, policy[header] ?? '');
      if (isStopping()) this.setHeader('Connection', 'close');
      return text === undefined ? super.writeHead(status) : super.writeHead(status, text);
    }
  };
}
