import type { RelatedEvent } from '@decision-ledger/client/api/financial-event';
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Section } from '../../components/page.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Money } from '../../components/values.tsx';
import { isZero } from '../../format/decimal.ts';
import { isolated } from '../../format/locale.ts';
import { formatCount, formatQuantity } from '../../format/numbers.ts';
import classes from './event-drawer.module.css';

type Relation = RelatedEvent['movement']['relations'][number];
type Parts = NonNullable<RelatedEvent['movement']['parts']>;

/** What other money an event gives back, is part of, pays or converts, and what it consists of. */
export function Relations({ event: { movement } }: { event: RelatedEvent }) {
  const { relations, parts } = movement;
  if (relations.length === 0 && parts === null) return null;
  return (
    <Section title="Related money">
      {parts !== null && <PartsCheck parts={parts} />}
      <ul className={classes.links} aria-label="Related events">
        {relations.map((relation) => (
          <li
            key={`${relation.relation} ${relation.direction} ${relation.reference} ${relation.report?.id}`}
          >
            <RelationLine relation={relation} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const WORDS: Readonly<
  Record<Relation['relation'], Readonly<Record<Relation['direction'], string>>>
> = {
  reverses: { to: 'Gives back', from: 'Given back by' },
  part_of: { to: 'Part of', from: 'Contains' },
  settles: { to: 'Pays', from: 'Paid by' },
  converts: { to: 'Converts', from: 'Converted by' },
};

function RelationLine({
  relation: { relation, direction, reference, report },
}: {
  relation: Relation;
}) {
  const words = WORDS[relation][direction];
  if (report === null) {
    return (
      <>
        {words} <bdi>{reference}</bdi>
        <span className={classes.more}>No event of it is recorded.</span>
      </>
    );
  }
  return (
    <>
      {words}{' '}
      <Anchor
        underline="always"
        renderRoot={(props) => (
          <Link
            to="/money"
            search={(now) => ({ ...now, event: report.id })}
            resetScroll={false}
            {...props}
          />
        )}
      >
        {isolated(report.event_type)}
      </Anchor>{' '}
      <Money amount={report.amount} currency={report.currency} />
      <span className={classes.more}>
        <bdi>{reference}</bdi>
      </span>
    </>
  );
}

type TypeSum = Parts['types'][number] & Pick<Parts, 'currency'>;

const CSV: CsvTable<TypeSum> = {
  name: 'parts-by-type',
  columns: {
    event_type: ({ event_type }) => event_type,
    count: ({ count }) => count,
    amount: ({ amount }) => ({ decimal: amount }),
    currency: ({ currency }) => currency,
  },
};

/** Whether what is contained adds up. */
function PartsCheck({
  parts: { currency, amount, sum, difference, unknown, types },
}: {
  parts: Parts;
}) {
  return (
    <>
      <Text size="sm">
        Its parts come to <Money amount={sum} currency={currency} /> of{' '}
        <Money amount={amount} currency={currency} />
        {isZero(difference) ? ': nothing is missing.' : ': '}
        {!isZero(difference) && (
          <strong>
            <Money amount={difference} currency={currency} /> is not explained.
          </strong>
        )}
        {unknown > 0 && ` ${formatQuantity(unknown, 'part')} without an amount in ${currency}.`}
      </Text>
      <ShortTable
        label="Parts by type"
        minWidth={320}
        csv={CSV}
        rows={types.map((one) => ({ ...one, currency }))}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Type</Table.Th>
            <Table.Th ta="end">Number</Table.Th>
            <Table.Th ta="end">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {types.map((one) => (
            <Table.Tr key={one.event_type}>
              <Table.Td>{one.event_type}</Table.Td>
              <Table.Td ta="end">{formatCount(one.count)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={one.amount} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
    </>
  );
}
