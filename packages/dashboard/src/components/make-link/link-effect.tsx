import type { Link, MadeLink } from '@decision-ledger/client/api/link';
import { Text } from '@mantine/core';
import { formatShare } from '../../format/numbers.ts';
import { Money } from '../values.tsx';
import classes from './make-link.module.css';

interface EffectProps {
  /** The active links of the event now. */
  readonly before: readonly Link[];
  /** The link as it would be. */
  readonly made: MadeLink;
}

/** What a link would do to the shares of its event, and to the money and the exposure. */
export function LinkEffect({ before, made: { id, dry_run, event_links = [] } }: EffectProps) {
  const now = sharesOf(before);
  const then = sharesOf(event_links);
  const parted = dry_run?.parted ?? [];
  const gone = before.filter((link) => !event_links.some((other) => other.id === link.id));
  const rest = 1 - [...then.values()].reduce((sum, share) => sum + share, 0);
  return (
    <>
      <Text size="sm" fw={500}>
        The shares of the event would be
      </Text>
      <ul className={classes.shares}>
        {event_links.map((link) => (
          <li key={link.id}>
            {link.id === id ? 'This link' : nameOf(link)}:{' '}
            {link.id === id ? '' : `${formatShare(now.get(link.id) ?? 0, 1)} → `}
            <strong>{formatShare(then.get(link.id) ?? 0, 1)}</strong>
          </li>
        ))}
        {gone.map((link) => (
          <li key={link.id}>
            {nameOf(link)}: {formatShare(now.get(link.id) ?? 0, 1)} →{' '}
            {parted.includes(link.financial_event_id) ? 'of the other event' : 'removed'}
          </li>
        ))}
        <li>Left without a cause: {formatShare(Math.max(0, rest), 1)}</li>
      </ul>
      {dry_run !== undefined && (
        <Text size="sm" mt={6}>
          Net: <Money amount={dry_run.net_before} currency={dry_run.currency} /> →{' '}
          <Money amount={dry_run.net_after} currency={dry_run.currency} />
          {dry_run.unconverted && ', because there is no exchange rate'}. Exposure:{' '}
          <Money amount={dry_run.exposure_before} currency={dry_run.currency} /> →{' '}
          <Money amount={dry_run.exposure_after} currency={dry_run.currency} />.
        </Text>
      )}
    </>
  );
}

function nameOf({ status, link_type, decision_id }: Link): string {
  const prefix =
    status === 'ML_SUGGESTED' ? 'suggested ' : status === 'INHERITED' ? 'inherited ' : '';
  const kind = `${prefix}${link_type} link`;
  return `The ${kind} to …${decision_id.slice(-6)}`;
}

type Strong = Pick<Link, 'id' | 'correlation_strength'>;

/** The share of its event that each link has, by id: strengths that sum to more than 1 share in proportion. */
function sharesOf(links: readonly Strong[]): ReadonlyMap<string, number> {
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
