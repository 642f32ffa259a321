import type { ReportedEvent } from '@decision-ledger/client/api/financial-event';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../components/page.tsx';
import { Facts, Money } from '../../components/values.tsx';
import { useReports } from './reports.ts';
import { type Settlement, type Sum, settlementOf, type Told } from './settlement-facts.ts';

/** What reached an account of the organisation for an event, as far as a source has said so. */
export function SettlementSection({ event }: { event: ReportedEvent }) {
  const { lead, reports } = event.movement;
  const { events } = useReports([lead, ...reports.filter((id) => id !== lead)]);
  const known = events.flatMap((one) => (one === undefined ? [] : [one]));
  if (known.length < reports.length) return null;
  const settlement = settlementOf(known);
  if (!isExpected(event) && Object.values(settlement).every((member) => member === null)) {
    return null;
  }
  return (
    <Section title="Settlement">
      <Facts facts={factsOf(event, settlement)} />
    </Section>
  );
}

const SETTLED: readonly ReportedEvent['kind'][] = ['sale', 'refund', 'dispute', 'recovery'];

/** Money of customers that moved reaches an account. */
function isExpected({ kind, standing }: ReportedEvent): boolean {
  return SETTLED.includes(kind) && (standing === 'counted' || standing === 'counted_once');
}

function factsOf(
  { currency }: ReportedEvent,
  { settled, fee, rate }: Settlement,
): [string, ReactNode][] {
  const isConverted = rate !== null || (settled !== null && settled.value.currency !== currency);
  return [
    ['Settled', <Sourced key="settled" told={settled} show={inMoney} />],
    ['Fee', <Sourced key="fee" told={fee} show={inMoney} />],
    ...(isConverted
      ? [['Rate', <Sourced key="rate" told={rate} show={(value) => value} />] satisfies Fact]
      : []),
  ];
}

type Fact = [string, ReactNode];

const inMoney = ({ amount, currency }: Sum) => <Money amount={amount} currency={currency} />;

interface SourcedProps<Value> {
  readonly told: Told<Value> | null;
  readonly show: (value: Value) => ReactNode;
}

function Sourced<Value>({ told, show }: SourcedProps<Value>) {
  if (told === null) {
    return (
      <Text component="span" c="dimmed">
        Not known
      </Text>
    );
  }
  return (
    <>
      {show(told.value)}
      <Text component="span" size="xs" c="dimmed" display="block">
        said by <bdi>{told.source}</bdi>
      </Text>
    </>
  );
}
