import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import { Alert, Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { Interval } from '../../charts/interval.tsx';
import type { TimeSeriesProps } from '../../charts/time-series-plot.tsx';
import { Icon } from '../../components/icon.tsx';
import { CsvButton, type CsvTable } from '../../components/rows.tsx';
import { Facts, Moment, Money } from '../../components/values.tsx';
import { formatDay } from '../../format/dates.ts';
import { differenceOf } from '../../format/decimal.ts';
import { formatCount, formatMoney, formatQuantity } from '../../format/numbers.ts';
import classes from './exposure.module.css';
import { seriesOf } from './figures.ts';

/** The total with its interval, and its tail. */
export function Summary({ analysis }: { analysis: ExposureAnalysis }) {
  const { aggregate, currency, decisions, denied_count, threshold, as_of, version } = analysis;
  const { open, realised, basis } = aggregate;
  // Losses that happened are in every simulated total.
  const [low90 = '', high90 = '', var95 = '', es95 = ''] = [
    ...[aggregate.low90, aggregate.high90, aggregate.var95, aggregate.es95],
  ].map((total) => differenceOf(realised, total));
  const low = formatMoney(low90, currency);
  const high = formatMoney(high90, currency);
  const money = (amount: string) => <Money key={amount} {...{ amount, currency }} />;
  return (
    <section aria-label="Total exposure">
      <Threshold analysis={analysis} />
      <div className={classes.total}>
        <div>
          <div className={classes.expected}>
            <Money amount={open} currency={currency} />
          </div>
          <Text size="sm">
            {formatQuantity(decisions, 'decision')} could still cost this; in 9 of 10 cases{' '}
            <Money amount={low90} currency={currency} /> to{' '}
            <Money amount={high90} currency={currency} />
          </Text>
          <Interval
            {...{ low: low90, expected: open, high: high90 }}
            label={`Between ${low} and ${high}, expected ${formatMoney(open, currency)}`}
          />
        </div>
        <Facts
          facts={[
            ['Exceeded in 1 case of 20 (value at risk)', money(var95)],
            ['Mean of those cases (expected shortfall)', money(es95)],
            ['Lost already', money(realised)],
            ['Both together: the exposure', money(aggregate.expected)],
            ['Denied or failed, nothing at risk', formatCount(denied_count)],
            [
              'Rests mostly on',
              basis === 'prior' ? 'Assumptions of the risk matrix' : 'Your own losses',
            ],
            ...(threshold === null ? [] : ([['Alert threshold', money(threshold)]] as const)),
          ]}
        />
      </div>
      <Text size="xs" c="dimmed" mt="sm">
        Model {version}, as of <Moment time={as_of} style="time" />
      </Text>
      <Gaps analysis={analysis} />
    </section>
  );
}

function Threshold({ analysis }: { analysis: ExposureAnalysis }) {
  const { threshold, threshold_status: status, currency } = analysis;
  if (threshold === null || status === null || status === 'not_exceeded') return null;
  const isExceeded = status === 'exceeded';
  return (
    <Alert
      color={isExceeded ? 'red' : 'yellow'}
      variant="light"
      icon={<Icon name="warning" />}
      mb="md"
      title={
        isExceeded
          ? 'What could still be lost is above the threshold'
          : 'Whether the threshold is exceeded is not known'
      }
    >
      {isExceeded
        ? 'Review the largest decisions below, or raise the threshold of '
        : 'Some amounts have no exchange rate. The rest is below the threshold of '}
      <Money amount={threshold} currency={currency} /> in the settings.
    </Alert>
  );
}

/** What the figures leave out. */
function Gaps({ analysis: { unconverted_count } }: { analysis: ExposureAnalysis }) {
  if (unconverted_count === 0) return null;
  return (
    <Text size="sm" mt="xs">
      Left out, because there is no exchange rate: {formatQuantity(unconverted_count, 'amount')}.{' '}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => (
          <Link to="/settings" search={{ section: 'currencies' }} {...props} />
        )}
      >
        Set the rates
      </Anchor>
    </Text>
  );
}

const HEIGHT = 240;

const CSV: CsvTable<ExposureAnalysis['trend'][number]> = {
  name: 'exposure-trend',
  columns: {
    day: ({ day }) => day,
    is_now: ({ is_now }) => is_now,
    decisions: ({ decisions }) => decisions,
    exposure: ({ exposure }) => ({ decimal: exposure }),
    realised: ({ realised }) => ({ decimal: realised }),
    currency: ({ currency }) => currency,
  },
};

/** Exposure and losses after each nightly run, and now. */
export function Trend({ analysis }: { analysis: ExposureAnalysis }) {
  const { currency } = analysis;
  const series = useMemo(() => seriesOf(analysis), [analysis]);
  const lines = useMemo(
    () => [
      { label: 'Exposure', values: series.exposure },
      { label: 'Lost so far', values: series.realised },
    ],
    [series],
  );
  const [first, last] = [series.points[0], series.points.at(-1)];
  if (first === undefined || last === undefined || first === last) {
    return (
      <Text c="dimmed">
        The trend begins with the second point: one is added after each nightly run, at 02:00 UTC.
      </Text>
    );
  }
  const isPartial = series.points.length < analysis.trend.length;
  return (
    <>
      <CsvButton
        label="Trend"
        table={CSV}
        load={() => Promise.resolve({ rows: analysis.trend, next: null })}
      />
      <TimeSeries
        label={
          `From ${formatMoney(first.exposure, currency)} on ${formatDay(first.day)} ` +
          `to ${formatMoney(last.exposure, currency)} on ${formatDay(last.day)}`
        }
        height={HEIGHT}
        times={series.times}
        lines={lines}
        formatValue={formatCount}
      />
      <Text size="xs" c="dimmed" mt={4}>
        In {currency}, for all decisions that were recorded by then
        {isPartial && '. Days on which the ledger had another base currency are left out'}
      </Text>
    </>
  );
}

const Plot = lazy(async () => ({
  default: (await import('../../charts/time-series-plot.tsx')).TimeSeriesPlot,
}));

/** Lines over time. The code that draws them is loaded when the first one is shown. */
function TimeSeries(props: TimeSeriesProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <Plot {...props} />
    </Suspense>
  );
}
