import type { PnlRows, RowsQuery } from '@decision-ledger/client/api/analytics-rows';
import { Anchor, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.ts';
import { CsvButton, type CsvTable } from '../../components/csv/csv-button.tsx';
import { loadWith } from '../../components/data-table/pages.ts';
import { Hash } from '../../components/hash.tsx';
import { LinkLabel } from '../../components/link-label.tsx';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { MONEY_ROW_COLUMNS, type MoneyRow, moneyRowsOf } from '../../components/money-rows-csv.ts';
import { shortened } from '../../format/decimal.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { DecisionProof } from './decision-proof.tsx';
import { RowList } from './row-list.tsx';
import classes from './rows.module.css';

type Row = PnlRows['rows'][number];

const CSV: CsvTable<MoneyRow> = { name: 'parts-of-events', columns: MONEY_ROW_COLUMNS };

/** The parts of events that a figure is the sum of. */
export function MoneyRowList({ query }: { query: RowsQuery }) {
  const ledger = useLedger();
  const rows = useInfiniteQuery({
    queryKey: ['figures', 'rows', query],
    queryFn: ({ signal, pageParam }) =>
      ledger.analytics
        .pnlRows({ ...query, ...(pageParam !== '' && { cursor: pageParam }) }, { signal })
        .page(),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const [first] = rows.data?.pages ?? [];
  const sum = first?.sum;
  return (
    <RowList
      query={rows}
      csv={
        <CsvButton
          label="Parts of events"
          table={CSV}
          load={loadWith(
            (wanted, options) => ledger.analytics.pnlRows({ ...query, ...wanted }, options),
            moneyRowsOf,
          )}
        />
      }
      empty="No part of an event counts here yet."
      head={
        first !== undefined &&
        sum != null && (
          <>
            {sum.rows === 1 ? '1 part of an event' : `${formatCount(sum.rows)} parts of events`}, in
            all <Money amount={sum.converted} currency={first.currency} />
          </>
        )
      }
    >
      {rows.data?.pages.flatMap(({ rows: found, currency }) =>
        found.map((row) => (
          <li key={row.link_id ?? row.financial_event_id} className={classes.row}>
            <Part row={row} currency={currency} />
          </li>
        )),
      )}
    </RowList>
  );
}

function Part({ row, currency }: { row: Row; currency: string }) {
  const { financial_event_id: event, converted_amount: converted } = row;
  return (
    <>
      <div className={classes.line}>
        <Anchor renderRoot={(props) => <Link to="/money" search={{ event }} {...props} />}>
          {row.source} · {row.event_type}
        </Anchor>
        <strong>
          {converted === null ? (
            <Money amount={row.amount} currency={row.currency} signed />
          ) : (
            <Money amount={converted} currency={currency} signed />
          )}
        </strong>
      </div>
      <div className={classes.line}>
        <Text size="sm" c="dimmed" component="span">
          <Moment time={row.timestamp} /> · {formatShare(Number(row.share), 1)} of{' '}
          <Money amount={row.event_amount} currency={row.currency} />
          {row.rate !== null && row.currency !== currency && ` at ${shortened(row.rate)}`}
        </Text>
        <span className={classes.tags}>
          <Text size="sm" c="dimmed" component="span">
            {row.link_type}
          </Text>
          {row.label !== 'unattributed' && <LinkLabel label={row.label} />}
        </span>
      </div>
      {row.link_id !== null && (
        <Text size="xs" c="dimmed" component="div">
          Link <Hash value={row.link_id} label="the id of the link" full />
        </Text>
      )}
      {row.decision_id !== null && <DecisionProof id={row.decision_id} />}
    </>
  );
}
