import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentEncoding, encodingsOf } from './negotiate.js';

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
