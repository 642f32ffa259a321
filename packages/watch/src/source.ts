import type { LogOrigin } from '@decision-ledger/proof/tlog/origin';
import { type ReadTile, tilePath } from '@decision-ledger/proof/tlog/tiles';

export type Chain = LogOrigin['chain'];

/** The chains of a ledger; each has a log. */
export const CHAINS: readonly Chain[] = ['decisions', 'activity'];

/** The log did not give a usable answer. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** Reads the log of a chain. All methods reject with SourceError. */
export interface LogSource {
  /** A signed note; nothing of it is verified. */
  checkpoint(chain: Chain): Promise<string>;
  /** The hashes of a tile; nothing of them is verified. */
  tiles(chain: Chain): ReadTile;
  /** The verifier key that the service states; only where an API key is used. */
  verifierKey(chain: Chain): Promise<string>;
}

export interface SourceOptions {
  /** Of the service, or of a public log: `https://…/api/v1/logs/led_…`. */
  readonly url: string;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
}

/** Of a note, of a tile and of the description of a log. */
const MAX_BYTES = 256 * 1024;
const PUBLIC = /\/api\/v1\/logs\/led_[0-9a-z]+$/;

/** @throws TypeError if the address or what it needs is not valid */
export function logSource({ url, apiKey, timeoutMs }: SourceOptions): LogSource {
  const base = readBase(url);
  const isPublic = PUBLIC.test(base);
  if (!isPublic && apiKey === null) {
    throw new TypeError(
      'the log of a ledger needs a key with the permission read (LEDGER_KEY or --key-file), ' +
        'or the address of a public log: https://…/api/v1/logs/led_…',
    );
  }
  const root = isPublic ? base : `${base}/api/v1/log`;
  const headers = isPublic || apiKey === null ? {} : { 'x-ledger-key': apiKey };
  const get = (path: string) => read(`${root}/${path}`, headers, timeoutMs);
  return {
    checkpoint: async (chain) => textOf(await get(`${chain}/checkpoint`)),
    tiles: (chain) => (tile) => get(`${chain}/${tilePath(tile)}`),
    verifierKey: async (chain) => {
      if (isPublic) throw new SourceError('a public log does not state its key: give --log-key');
      return keyIn(textOf(await get(chain)));
    },
  };
}

function readBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('the address must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('the address must have no user, password, query or fragment');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

async function read(
  url: string,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<Uint8Array> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { headers, signal, redirect: 'error' });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new SourceError(`${url} answered ${answer.status}`);
    }
    return await bounded(answer, url);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${url} did not answer: ${reasonOf(error)}`, { cause: error });
  }
}

/** Reads no more of an answer than any answer of a log has. */
async function bounded({ body }: Response, url: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new SourceError(`${url} answered more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SourceError('an answer is not UTF-8 text');
  }
}

function keyIn(text: string): string {
  try {
    const key: unknown = JSON.parse(text).data.verifier_key;
    if (typeof key === 'string') return key;
  } catch {
    // Not JSON, or another object.
  }
  throw new SourceError('the description of the log has no verifier_key');
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
