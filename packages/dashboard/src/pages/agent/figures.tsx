import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StatementFigure } from '../../app/search-params.ts';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Money } from '../../components/values.tsx';
import { formatQuantity } from '../../format/numbers.ts';
import classes from './figures.module.css';
import { type Statement, type Step, stepsOf } from './statement.ts';

const TOTALS: ReadonlySet<StatementFigure> = new Set(['confirmed.net', 'expected.net', 'exposure']);

/** The waterfall as a table. Each figure leads to its rows. */
export function Figures({ statement }: { statement: Statement }) {
  return (
    <>
      <ShortTable
        label="Figures"
        minWidth={300}
        csv={FIGURES_CSV}
        rows={figureLinesOf(statement)}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Figure</Table.Th>
            <Table.Th ta="end">Amount</Table.Th>
            <Table.Th data-from="sm">What it includes</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stepsOf(statement).map((step) => (
            <Line key={step.figure} step={step} note={noteOf(step.figure, statement)} />
          ))}
        </Table.Tbody>
      </ShortTable>
      <Unconverted statement={statement} />
    </>
  );
}

function Line({ step, note }: { step: Step; note: ReactNode }) {
  const { figure, label, amount, currency, kind } = step;
  return (
    <Table.Tr fw={TOTALS.has(figure) ? 600 : undefined} data-kind={kind}>
      <Table.Td>
        <Anchor
          inherit
          renderRoot={(props) => (
            <Link
              from="/agents/$agentId"
              to="."
              search={(old) => ({ ...old, figure })}
              resetScroll={false}
              {...props}
            />
          )}
        >
          {label}
        </Anchor>
        <Text data-in-place-of="sm" size="xs" c="dimmed" fw={400}>
          {note}
        </Text>
      </Table.Td>
      <Table.Td ta="end" data-figure={figure} className={classes.amount}>
        <Money amount={amount} currency={currency} />
      </Table.Td>
      <Table.Td data-from="sm" fw={400} c="dimmed">
        {note}
      </Table.Td>
    </Table.Tr>
  );
}

function noteOf(figure: StatementFigure, { pnl, exposure }: Statement): ReactNode {
  const { low, high } = pnl.confidence_interval;
  const { low90, high90, var95, p50, realised, open, basis } = exposure.aggregate;
  const own = (amount: string) => <Money amount={amount} currency={pnl.currency} />;
  const risk = (amount: string) => <Money amount={amount} currency={exposure.currency} />;
  switch (figure) {
    case 'confirmed.revenue':
      return 'Confirmed links: money that came in';
    case 'confirmed.savings':
      return 'Confirmed links: money that was not spent';
    case 'confirmed.costs':
      return 'Confirmed links: money that was spent';
    case 'confirmed.refunds':
      return 'Confirmed links: money that was given back';
    case 'confirmed.losses':
      return 'Confirmed links: money that was lost';
    case 'confirmed.net':
      return 'The part that can be proved';
    case 'matched.net':
      return 'Suggested links with strong evidence, not reviewed yet';
    case 'expected.net':
      return (
        <>
          Confirmed and matched; 9 in 10: {own(low)} to {own(high)}
        </>
      );
    case 'guessed.net':
      return 'Suggested links with weak evidence: counted in no total';
    case 'exposure':
      return (
        <>
          What {formatQuantity(exposure.decisions, 'decision')} cost so far and may still cost;
          never subtracted. 9 in 10: {risk(low90)} to {risk(high90)}; median {risk(p50)}; 19 in 20
          below {risk(var95)}. Lost already: {risk(realised)}; may still be lost: {risk(open)}.
          {basis === 'prior' && ' Rests on assumptions more than on own losses.'}
        </>
      );
  }
}

/** Money that no figure has, because no rate converts it. */
function Unconverted({ statement: { pnl, exposure } }: { statement: Statement }) {
  const { unconverted } = pnl;
  const count = exposure.unconverted_count;
  if (unconverted.length === 0 && count === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt="sm">
      Left out, because there is no exchange rate:{' '}
      {unconverted.map(({ currency, amount }) => (
        <span key={currency}>
          <Money amount={amount} currency={currency} />{' '}
        </span>
      ))}
      {count > 0 &&
        `${unconverted.length > 0 ? 'and ' : ''}${formatQuantity(count, 'amount')} at risk`}
    </Text>
  );
}

interface FigureLine {
  readonly figure: string;
  readonly amount: string;
  readonly currency: string;
}

const FIGURES_CSV: CsvTable<FigureLine> = {
  name: 'statement',
  columns: {
    figure: ({ figure }) => figure,
    amount: ({ amount }) => ({ decimal: amount }),
    currency: ({ currency }) => currency,
  },
};

/** The figures of the table, those of its notes, and the money that no figure has. */
function figureLinesOf(statement: Statement): FigureLine[] {
  const { pnl, exposure } = statement;
  const { low, high } = pnl.confidence_interval;
  const { low90, high90, var95, p50, realised, open } = exposure.aggregate;
  const interval = Object.entries({ low, high });
  const risk = Object.entries({ low90, high90, var95, p50, realised, open });
  return [
    ...stepsOf(statement).map(({ figure, amount, currency }) => ({ figure, amount, currency })),
    ...interval.map(([name, amount]) => ({
      ...{ figure: `expected.net.${name}`, amount, currency: pnl.currency },
    })),
    ...risk.map(([name, amount]) => ({
      ...{ figure: `exposure.${name}`, amount, currency: exposure.currency },
    })),
    ...pnl.unconverted.map(({ amount, currency }) => ({
      ...{ figure: 'unconverted', amount, currency },
    })),
  ];
}
