import type { PnlRows, RowsQuery } from '@decision-ledger/client/api/analytics-rows';
import type { ExposureRows, ExposureRowsQuery } from '@decision-ledger/client/api/exposure';
import { Anchor, Drawer, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { present, type StatementFigure } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';
import {
  EXPOSURE_ROWS_CSV,
  exposureRowsOf,
  MONEY_ROW_COLUMNS,
  type MoneyRow,
  moneyRowsOf,
} from '../../components/csv-tables.ts';
import { CsvButton, type CsvTable, type ListCall, loadWith } from '../../components/rows.tsx';
import { Hash, LinkLabel, Moment, Money } from '../../components/values.tsx';
import { isZero, shortened } from '../../format/decimal.ts';
import { formatCount, formatQuantity, formatShare } from '../../format/numbers.ts';
import { DecisionProof, RowList, useRowPages } from './row-list.tsx';
import classes from './rows.module.css';

const route = getRouteApi('/shell/agents/$agentId');

const TITLES: Readonly<Record<StatementFigure, string>> = {
  'confirmed.revenue': 'Confirmed revenue',
  'confirmed.savings': 'Confirmed savings',
  'confirmed.costs': 'Confirmed costs',
  'confirmed.refunds': 'Confirmed refunds',
  'confirmed.losses': 'Confirmed losses',
  'confirmed.net': 'Confirmed net',
  'matched.net': 'Matched',
  'expected.net': 'Expected net: confirmed and matched',
  'guessed.net': 'Guesses',
  exposure: 'Exposure, by decision',
};

/** The rows of the figure in the address. */
export function RowsDrawer({ agentId }: { agentId: string }) {
  const { figure, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { agent_id: agentId, ...present({ start: from, end: to }) };
  return (
    <Drawer
      opened={figure !== undefined}
      onClose={() => void navigate({ search: { from, to }, resetScroll: false })}
      position="right"
      size="lg"
      title={figure === undefined ? '' : TITLES[figure]}
      closeButtonProps={{ 'aria-label': 'Close the rows' }}
    >
      {figure === 'exposure' && <ExposureRowList query={query} />}
      {figure !== undefined && figure !== 'exposure' && (
        <MoneyRowList key={figure} query={{ ...query, figure }} />
      )}
    </Drawer>
  );
}

/** The decisions that an exposure is the sum of. */
function ExposureRowList({ query }: { query: ExposureRowsQuery }) {
  const ledger = useLedger();
  const list: ListCall<ExposureRows> = (wanted, options) =>
    ledger.analytics.liabilityRows({ ...query, ...wanted }, options);
  const rows = useRowPages(['figures', 'exposure-rows', query], list);
  const [first] = rows.data?.pages ?? [];
  const sum = first?.sum;
  return (
    <RowList
      query={rows}
      csv={
        <CsvButton
          label="Exposure, by decision"
          table={EXPOSURE_ROWS_CSV}
          load={loadWith(list, exposureRowsOf)}
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

function Decision({ row, currency }: { row: ExposureRows['rows'][number]; currency: string }) {
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

const CSV: CsvTable<MoneyRow> = { name: 'parts-of-events', columns: MONEY_ROW_COLUMNS };

/** The parts of events that a figure is the sum of. */
function MoneyRowList({ query }: { query: RowsQuery }) {
  const ledger = useLedger();
  const list: ListCall<PnlRows> = (wanted, options) =>
    ledger.analytics.pnlRows({ ...query, ...wanted }, options);
  const rows = useRowPages(['figures', 'rows', query], list);
  const [first] = rows.data?.pages ?? [];
  const sum = first?.sum;
  return (
    <RowList
      query={rows}
      csv={<CsvButton label="Parts of events" table={CSV} load={loadWith(list, moneyRowsOf)} />}
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

function Part({ row, currency }: { row: PnlRows['rows'][number]; currency: string }) {
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
          <LinkLabel label={row.label} />
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
