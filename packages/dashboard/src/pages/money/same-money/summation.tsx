import { Table } from '@mantine/core';
import recordClasses from '../../../components/record-side.module.css';
import { comparedLines, EventSide } from '../../../components/record-side.tsx';
import { sharedTerms } from '../../../components/shared-terms.ts';
import { Moment, Money } from '../../../components/values.tsx';
import { formatRange } from '../../../format/dates.ts';
import { formatCount } from '../../../format/numbers.ts';
import { EventLink } from '../event-link.tsx';
import classes from './partners.module.css';
import type { Doubtful, Possible } from './queue.ts';
import { Details, DOUBTS, RULES } from './why-asked.tsx';

interface SummationProps {
  readonly whole: Doubtful['report'];
  readonly possible: Possible;
  readonly sum: NonNullable<Possible['sum']>;
}

/** An event beside those that may be its money together, and what they add up to. */
export function Summation({ whole, possible: { rule, doubt }, sum }: SummationProps) {
  const { parts, amount, reports, period } = sum;
  const [first] = parts;
  const count = period?.count ?? parts.length;
  const left = count - parts.length;
  // What leads is paired with all parts, else the first part with the whole.
  const isWhole = parts.length > 1 && parts.every(({ id }) => reports.includes(id));
  const lines = parts.flatMap((part) => comparedLines(part));
  return (
    <>
      <p className={classes.why}>
        <strong>{RULES[rule]}</strong> {DOUBTS[doubt]}
      </p>
      <div className={recordClasses.pair}>
        <EventSide title="Event" event={whole} shared={sharedTerms(comparedLines(whole), lines)}>
          <Details id={whole.id} />
        </EventSide>
        <section className={recordClasses.side} aria-label="Events that may add up to it">
          <h3 className={recordClasses.title}>
            {count === 1 ? 'Possible part' : `${formatCount(count)} possible parts`}
            {period !== undefined && ` of ${formatRange(period)}`}
          </h3>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Event</Table.Th>
                <Table.Th>Happened</Table.Th>
                <Table.Th ta="end">Amount</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {parts.map((part) => (
                <Table.Tr key={part.id}>
                  <Table.Td>
                    <EventLink id={part.id}>
                      <bdi>{part.description ?? part.external_id ?? part.id}</bdi>
                    </EventLink>
                  </Table.Td>
                  <Table.Td>
                    <Moment time={part.timestamp} />
                  </Table.Td>
                  <Table.Td ta="end">
                    <Money amount={part.amount} currency={part.currency} />
                  </Table.Td>
                </Table.Tr>
              ))}
              {left > 0 && (
                <Table.Tr>
                  <Table.Td colSpan={3}>And {formatCount(left)} more</Table.Td>
                </Table.Tr>
              )}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th colSpan={2}>
                  <bdi>{first?.source}</bdi>, together
                </Table.Th>
                <Table.Th ta="end">
                  <Money amount={amount} currency={whole.currency} />
                </Table.Th>
              </Table.Tr>
            </Table.Tfoot>
          </Table>
          <p className={classes.why}>
            If it is the same money, {isWhole ? 'the event on the left counts' : 'these count'}, and
            nothing else.
          </p>
        </section>
      </div>
    </>
  );
}
