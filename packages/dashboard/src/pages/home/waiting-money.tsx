import type { Ledger } from '@decision-ledger/client';
import type { FinancialEventQuery } from '@decision-ledger/client/api/financial-event';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useCan, useLedger } from '../../app/session/context.tsx';
import { openDoubtsOf } from '../../components/shared-queries.ts';
import { Money } from '../../components/values.tsx';
import { absoluteOf, sumOf } from '../../format/decimal.ts';
import { formatCount } from '../../format/numbers.ts';
import { Line } from './line.tsx';

/** More events than these are not counted. */
const COUNTED = 100;

interface Sum {
  readonly currency: string;
  readonly amount: string;
}

/** Events that wait. */
interface Waiting {
  readonly count: number;
  /** Whether there may be more. */
  readonly isMore: boolean;
  /** Without sign. */
  readonly sums: readonly Sum[];
}

function waitingOf(ledger: Ledger, name: string, query: FinancialEventQuery) {
  return queryOptions({
    queryKey: ['figures', 'waiting', name],
    queryFn: async ({ signal }): Promise<Waiting> => {
      const wanted = { ...query, limit: COUNTED };
      const { financial_events: events, next_cursor } = await ledger.events
        .list(wanted, { signal })
        .page();
      const currencies = [...new Set(events.map(({ currency }) => currency))].sort();
      const sums = currencies.map((currency) => {
        const own = events.filter((event) => event.currency === currency);
        return { currency, amount: sumOf(own.map(({ amount }) => absoluteOf(amount))) };
      });
      return { count: events.length, isMore: next_cursor !== null, sums };
    },
  });
}

/** Money that waits for a person. What is not known, or not for this person to see, is undefined. */
export function useWaitingMoney() {
  const ledger = useLedger();
  const isAdmin = useCan('admin');
  const doubts = useQuery(openDoubtsOf(ledger));
  const refunds = useQuery(waitingOf(ledger, 'refunds', { reverses_unknown: true }));
  const unclassified = useQuery(waitingOf(ledger, 'unclassified', { standing: 'unclassified' }));
  const withheld = useQuery({
    queryKey: ['accounting', 'withheld'],
    queryFn: async ({ signal }) => {
      const { connections } = await ledger.operations.accounting({ signal });
      return connections.filter((one) => one.withheld?.is_released === false).length;
    },
    enabled: isAdmin,
  });
  return {
    parts: {
      'events in doubt': doubts,
      'refunds that wait': refunds,
      'unclassified money': unclassified,
      'withheld changes': withheld,
    },
    ...{ doubts: doubts.data, refunds: refunds.data },
    ...{ unclassified: unclassified.data, withheld: withheld.data },
  };
}

export type WaitingMoney = Omit<ReturnType<typeof useWaitingMoney>, 'parts'>;

/** The lines about money that waits, of which there are as many as there are things to do. */
export function linesOfMoney({ doubts, refunds, unclassified, withheld }: WaitingMoney) {
  return [
    withheld !== undefined && withheld > 0 && (
      <Line key="withheld" to="/money" search={{ tab: 'connections' }} label="Decide" isUrgent>
        {withheld === 1 ? '1 connection has' : `${formatCount(withheld)} connections have`} changes
        of the books that are withheld
      </Line>
    ),
    doubts !== undefined && doubts.open > 0 && (
      <Line key="doubts" to="/money" search={{ tab: 'same-money' }} label="Same money?">
        {doubts.open === 1 ? '1 event' : `${formatCount(doubts.open)} events`} may count twice:{' '}
        <Sums sums={doubts.open_amounts} />
      </Line>
    ),
    refunds !== undefined && refunds.count > 0 && (
      <Line key="refunds" to="/money" search={{ payment: 'unknown' }} label="See">
        <Count {...refunds} one="refund waits" more="refunds wait" /> for a payment that is not
        recorded
        <SumsOf {...refunds} />
      </Line>
    ),
    unclassified !== undefined && unclassified.count > 0 && (
      <Line key="unclassified" to="/money" search={{ standing: 'unclassified' }} label="See">
        <Count {...unclassified} one="event is" more="events are" /> unclassified, and counted
        nowhere
        <SumsOf {...unclassified} />
      </Line>
    ),
  ];
}

interface CountProps extends Pick<Waiting, 'count' | 'isMore'> {
  readonly one: string;
  readonly more: string;
}

function Count({ count, isMore, one, more }: CountProps) {
  if (count === 1) return <>1 {one}</>;
  return (
    <>
      {isMore && 'At least '}
      {formatCount(count)} {more}
    </>
  );
}

/** The sum of a part of them would say nothing. */
function SumsOf({ isMore, sums }: Waiting) {
  if (isMore) return null;
  return (
    <>
      {': '}
      <Sums sums={sums} />
    </>
  );
}

function Sums({ sums }: { sums: readonly Sum[] }) {
  return sums.map(({ currency, amount }, at) => (
    <Fragment key={currency}>
      {at > 0 && ' + '}
      <Money amount={amount} currency={currency} />
    </Fragment>
  ));
}
