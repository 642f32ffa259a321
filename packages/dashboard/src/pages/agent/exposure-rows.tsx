import type { ExposureRows, ExposureRowsQuery } from '@decision-ledger/client/api/exposure';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { CsvButton } from '../../components/csv/csv-button.tsx';
import { loadWith } from '../../components/data-table/pages.ts';
import { EXPOSURE_ROWS_CSV, exposureRowsOf } from '../../components/exposure-rows-csv.ts';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { isZero } from '../../format/decimal.ts';
import { formatCount, formatQuantity, formatShare } from '../../format/numbers.ts';
import { DecisionProof } from './decision-proof.tsx';
import { RowList } from './row-list.tsx';
import classes from './rows.module.css';

type Row = ExposureRows['rows'][number];

/** The decisions that an exposure is the sum of. */
export function ExposureRowList({ query }: { query: ExposureRowsQuery }) {
  const ledger = useLedger();
  const rows = useInfiniteQuery({
    queryKey: ['figures', 'exposure-rows', query],
    queryFn: ({ signal, pageParam }) =>
      ledger.analytics
        .liabilityRows({ ...query, ...(pageParam !== '' && { cursor: pageParam }) }, { signal })
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
          label="Exposure, by decision"
          table={EXPOSURE_ROWS_CSV}
          load={loadWith(
            (wanted, options) => ledger.analytics.liabilityRows({ ...query, ...wanted }, options),
            exposureRowsOf,
          )}
        />
      }
      empty="The agent made no decisions in this range."
      head={
        first !== undefined &&
        sum != null && (
          <>
            {formatQuantity(sum.rows, 'decision')}, in all{' '}
            <Money amount={sum.exposure} currency={first.currency} />, of which{' '}
            <Money amount={sum.realised} currency={first.currency} /> is lost already and{' '}
            <Money amount={sum.open} currency={first.currency} /> may still be
          </>
        )
      }
    >
      {rows.data?.pages.flatMap(({ rows: found, currency }) =>
        found.map((row) => (
          <li key={row.decision_id} className={classes.row}>
            <Decision row={row} currency={currency} />
          </li>
        )),
      )}
    </RowList>
  );
}

function Decision({ row, currency }: { row: Row; currency: string }) {
  const { exposure, low, high, realised, open } = row;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <>
      <div className={classes.line}>
        <span>
          {row.action_type} #{formatCount(row.seq)}
        </span>
        <strong>{money(exposure)}</strong>
      </div>
      <div className={classes.line}>
        <Text size="sm" c="dimmed" component="span">
          <Moment time={row.timestamp} /> · {formatShare(row.confidence, 1)} confident
          {row.is_reviewed && ' · human review'}
          {row.is_denied && ' · denied or failed'}
        </Text>
        <Text size="sm" c="dimmed" component="span">
          9 in 10: {money(low)} to {money(high)}
        </Text>
      </div>
      {!isZero(realised) && (
        <Text size="sm">
          Lost already: {money(realised)}; may still be lost: {money(open)}
        </Text>
      )}
      <DecisionProof id={row.decision_id} />
    </>
  );
}
