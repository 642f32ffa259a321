import type { Link } from '@decision-ledger/client/api/link';

type Strong = Pick<Link, 'id' | 'correlation_strength'>;

/** The share of its event that each link has, by id: strengths that sum to more than 1 share in proportion. */
export function sharesOf(links: readonly Strong[]): ReadonlyMap<string, number> {
  const total = links.reduce((sum, { correlation_strength }) => sum + correlation_strength, 0);
  return new Map(
    links.map(({ id, correlation_strength }) => [id, correlation_strength / Math.max(1, total)]),
  );
}

/** What a link of a person would take of an event if nothing else is said. */
export function shareLeft(links: readonly (Strong & Pick<Link, 'status'>)[]): number {
  const held = links
    .filter(({ status }) => status === 'CONFIRMED' || status === 'ML_INFERRED')
    .reduce((sum, { correlation_strength }) => sum + correlation_strength, 0);
  // Strengths have at most six decimals.
  return Math.max(0, Math.round((1 - held) * 1e6) / 1e6);
}
