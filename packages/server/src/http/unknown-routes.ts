import { LedgerError } from '@decision-ledger/contract/errors';
import type { Http } from './types.js';

interface Path {
  /** Without those of parameters, which take any text. */
  readonly segments: readonly (string | null)[];
  readonly methods: Set<string>;
}

/**
 * Refuses what no route takes, before a key is asked for or anything of a body is read: 405 with `Allow`
 * where the path is known (RFC 9110, 15.5.6), whatever the method, else 404. A path that is named as a
 * whole takes its own methods alone, although its last part would do for an id.
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

function segmentsOf(url: string): (string | null)[] {
  return url.split('/').map((segment) => (segment.startsWith(':') ? null : segment));
}

/** The path as the router reads it: without query, of an absolute URL too (RFC 9112, 3.2.2). */
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
    segments.length === parts.length &&
    segments.every((segment, at) => (segment === null ? parts[at] !== '' : segment === parts[at]));
  return [...paths.values()].find(fits);
}

function refusal(path: Path | undefined): LedgerError {
  if (path === undefined) return new LedgerError('not_found', 'no such path');
  const allow = [...path.methods].sort().join(', ');
  return new LedgerError('method_not_allowed', `this path takes ${allow}`, { headers: { allow } });
}
