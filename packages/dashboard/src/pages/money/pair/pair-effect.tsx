import type { PairedMovement, ReportedEvent } from '@decision-ledger/client/api/financial-event';
import { Text } from '@mantine/core';
import { Money } from '../../../components/values.tsx';
import { isZero } from '../../../format/decimal.ts';
import { isolated } from '../../../format/locale.ts';
import { formatQuantity } from '../../../format/numbers.ts';
import { useReports } from '../reports.ts';
import classes from './pair.module.css';

interface EffectProps {
  readonly event: ReportedEvent;
  /** The id of the other event. */
  readonly partner: string;
  /** The movement as it would be. */
  readonly paired: PairedMovement;
}

/** Which event would lead, and what would count, if two events were paired. */
export function PairEffect({ event, partner, paired }: EffectProps) {
  const { lead, reports, dry_run } = paired;
  const [other, leader] = useReports([partner, lead]).events;
  return (
    <>
      <Text size="sm" fw={500}>
        {formatQuantity(reports.length, 'event')} would report this money, which counts once
      </Text>
      <ul className={classes.sums}>
        {leader !== undefined && (
          <li>
            {isolated(leader.source)} · {isolated(leader.event_type)} leads:{' '}
            <strong>
              <Money amount={leader.amount} currency={leader.currency} />
            </strong>
          </li>
        )}
        {dry_run !== undefined && <Counted {...dry_run} />}
      </ul>
      {other !== undefined && <Caution one={event} other={other} />}
    </>
  );
}

type Effect = NonNullable<PairedMovement['dry_run']>;

function Counted({ counted_before, counted_after }: Effect) {
  const after = new Map(counted_after.map(({ currency, amount }) => [currency, amount]));
  return counted_before.map(({ currency, amount }) => (
    <li key={currency}>
      Counted: <Money amount={amount} currency={currency} /> →{' '}
      <strong>
        <Money amount={after.get(currency) ?? '0'} currency={currency} />
      </strong>
    </li>
  ));
}

/** What speaks against two events being of the same money. */
function Caution({ one, other }: { one: ReportedEvent; other: ReportedEvent }) {
  const isOpposite = one.amount.startsWith('-') !== other.amount.startsWith('-');
  const cautions = [
    one.source === other.source &&
      `Both are of ${isolated(one.source)}, whose events usually are several payments.`,
    isOpposite &&
      !isZero(one.amount) &&
      !isZero(other.amount) &&
      'One is incoming money, the other outgoing.',
  ].filter((text) => text !== false);
  if (cautions.length === 0) return null;
  return (
    <Text size="sm" mt={6} fw={500}>
      {cautions.join(' ')}
    </Text>
  );
}
