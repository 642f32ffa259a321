import { LedgerError } from '@decision-ledger/contract/errors';
import type { Http } from './types.js';

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
    const wanted = pathOf(url);
    const own = named.get(wanted);
    if (own?.methods.has(method) === true || (own === undefined && !is404)) done();
    else done(refusal(own ?? findWithIds(withIds, wanted)));
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
