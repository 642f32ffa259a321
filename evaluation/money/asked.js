import { pairKey } from './observe.js';

/**
 * What the service made of parts of a movement, and whether somebody is asked about them.
 *
 * @typedef {import('./observe.js').Observed} Observed
 * @typedef {import('./truth.js').Join} Join
 */

/** @param {Pick<Observed, 'reports'>} observed @param {Pick<Join, 'one' | 'other'>} join */
export const isMade = (observed, { one, other }) =>
  one.some((first) =>
    other.some((second) => groupOf(observed, first) === groupOf(observed, second)),
  );

/** @param {Pick<Observed, 'reports'>} observed @param {{ key: string }} report */
export const groupOf = ({ reports }, { key }) => reports.get(key)?.group ?? key;

/** @param {Pick<Observed, 'queue'>} observed @param {Pick<Join, 'one' | 'other'>} join */
export const isAsked = ({ queue }, { one, other }) =>
  one.some((first) => other.some((second) => queue.has(pairKey(first.key, second.key))));

/**
 * Whether somebody is asked which report of the other source is of the money of one of the parts, though the true one
 * is not among those that are offered first. Where a reference is shared, no other one comes first.
 * @param {{ observed: Pick<Observed, 'queue'>, sources: ReadonlyMap<string, string> }} context sources: of reports, by key
 * @param {Pick<Join, 'one' | 'other' | 'hasReference'>} join
 */
export function isAskedAbout({ observed: { queue }, sources }, { one, other, hasReference }) {
  if (hasReference) return false;
  const sourcesOf = (reports) => reports.map(({ source }) => source);
  const concerns = (part, wanted, [first, second]) =>
    part.some(({ key }) => key === first) && wanted.includes(sources.get(second));
  return [...queue]
    .map((pair) => pair.split(' + '))
    .some((pair) =>
      [pair, [...pair].reverse()].some(
        (keys) => concerns(one, sourcesOf(other), keys) || concerns(other, sourcesOf(one), keys),
      ),
    );
}
