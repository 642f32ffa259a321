import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A built file, with its compressed forms. */
export interface Asset {
  readonly type: string;
  readonly bodies: Readonly<Partial<Record<ContentEncoding, Buffer>>> & {
    readonly identity: Buffer;
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/**
 * @param names all files of the folder: a name that is not among them could lead out of it
 * @returns undefined for a file that is not there or not for browsers
 */
export function readAsset(
  folder: string,
  name: string,
  names: ReadonlySet<string>,
): Asset | undefined {
  const type = TYPES[extname(name)];
  if (type === undefined || !names.has(name)) return undefined;
  const packed = (ending: string) =>
    names.has(`${name}${ending}`) ? readFileSync(join(folder, `${name}${ending}`)) : undefined;
  const br = packed('.br');
  const gzip = packed('.gz');
  const identity = readFileSync(join(folder, name));
  return {
    type,
    bodies: { identity, ...(br !== undefined && { br }), ...(gzip !== undefined && { gzip }) },
  };
}

/** Sends the smallest form that the caller accepts. */
export function sendAsset(
  { bodies }: Asset,
  headers: Readonly<Record<string, string>>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const encodings = encodingsOf(String(request.headers['accept-encoding'] ?? ''));
  const encoding = encodings.find((one) => bodies[one] !== undefined) ?? 'identity';
  void reply.headers(headers);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  void reply.send(bodies[encoding]);
}

/** The headers of every file that the service sends to browsers. No other site may read or frame it. */
export const SAFETY = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** For files whose name contains a hash of their content. */
export function assetHeaders(type: string) {
  return {
    ...SAFETY,
    'content-type': type,
    // An SVG that is opened by itself could otherwise run scripts.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
}

type ContentEncoding = 'br' | 'gzip' | 'identity';

/** The quality of each member of an Accept header (RFC 9110, 12.4.2). */
function qualities(header: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = q === undefined ? 1 : Number(q.slice(2));
    if (name !== '') found.set(name, Number.isNaN(quality) ? 0 : quality);
  }
  return found;
}

/**
 * Whether the caller is a browser that opens a page: it names text/html, and prefers it to JSON. A
 * header that accepts anything does not ask for a page.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const found = qualities(accept ?? '');
  const html = found.get('text/html') ?? 0;
  return html > 0 && html >= (found.get('application/json') ?? 0);
}

/** The encodings that the caller accepts, the smallest first. */
function encodingsOf(accept: string | undefined): ContentEncoding[] {
  const found = qualities(accept ?? '');
  const accepted = (['br', 'gzip'] as const).filter((name) => (found.get(name) ?? 0) > 0);
  return [...accepted, 'identity'];
}
