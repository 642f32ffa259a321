import type { Pnl } from '@decision-ledger/client/api/analytics';
import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { now } from '../../app/clock.ts';
import { Interval } from '../../charts/interval.tsx';
import { Icon } from '../../components/icon.tsx';
import { Reversals } from '../../components/reversals.tsx';
import { Money } from '../../components/values.tsx';
import { formatRange, monthRange } from '../../format/dates.ts';
import { formatMoney, formatQuantity } from '../../format/numbers.ts';
import classes from './home.module.css';

/** What all agents earned. */
export function NetImpact({ pnl }: { pnl: Pnl }) {
  const { currency, net_ai_impact, confirmed, guessed, likely_net, by_month } = pnl;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const thisMonth = new Date(now()).toISOString().slice(0, 7);
  const month = by_month.find(({ key }) => key === thisMonth);
  return (
    <section className={classes.panel} aria-label="Net impact">
      <h2 className={classes.name}>Net impact of all agents</h2>
      <div className={classes.figure} data-testid="net">
        {money(net_ai_impact)}
      </div>
      <Text size="sm">Confirmed: {money(confirmed.net)}.</Text>
      {likely_net !== null && <AllMoney range={likely_net} currency={currency} />}
      <Reversals pnl={pnl} />
      {month !== undefined && (
        <Text size="sm">
          {formatRange(monthRange(month.key))}: {money(month.expected.net)}.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Guesses, in no total: {money(guessed.net)}.
      </Text>
      <Anchor size="sm" renderRoot={(props) => <Link to="/agents" {...props} />}>
        By agent
      </Anchor>
    </section>
  );
}

interface AllMoneyProps {
  readonly range: NonNullable<Pnl['likely_net']>;
  readonly currency: string;
}

const HEADLINE = {
  below: ' The figure above is lower, because it leaves out what is only likely.',
  within: '',
  above: ' The figure above is higher: losses or refunds are missing in it.',
} as const;

/** What recorded decisions moved of all money, reviewed or not. */
function AllMoney({ range, currency }: AllMoneyProps) {
  const { low, high, expected, headline } = range;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <Text size="sm">
      With all that nobody has reviewed: {money(expected)}, in 9 cases of 10 {money(low)} to{' '}
      {money(high)}.{HEADLINE[headline]}
    </Text>
  );
}

/** What all decisions may cost. */
export function Exposure({ exposure }: { exposure: ExposureAnalysis }) {
  const { currency, aggregate, decisions } = exposure;
  const { expected, low90, high90, realised, open } = aggregate;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const written = (amount: string) => formatMoney(amount, currency);
  return (
    <section className={classes.panel} aria-label="Exposure">
      <h2 className={classes.name}>Exposure of {formatQuantity(decisions, 'decision')}</h2>
      <div className={classes.figure} data-testid="exposure">
        {money(expected)}
      </div>
      <Interval
        {...{ low: low90, expected, high: high90 }}
        label={`Between ${written(low90)} and ${written(high90)}, expected ${written(expected)}`}
      />
      <Text size="sm">
        9 in 10: {money(low90)} to {money(high90)}. Lost already: {money(realised)}; could still
        cost: {money(open)}.
      </Text>
      <Threshold exposure={exposure} />
      <Anchor size="sm" renderRoot={(props) => <Link to="/exposure" {...props} />}>
        By action type and decision
      </Anchor>
    </section>
  );
}

function Threshold({ exposure }: { exposure: ExposureAnalysis }) {
  const { threshold, threshold_status: status, currency, unconverted_count } = exposure;
  if (threshold === null || status === null) {
    return (
      <Text size="sm" c="dimmed">
        No threshold is set.
      </Text>
    );
  }
  const limit = <Money amount={threshold} currency={currency} />;
  if (status === 'not_exceeded') {
    return (
      <Text size="sm" c="dimmed">
        Below the threshold of {limit}.
      </Text>
    );
  }
  const isExceeded = status === 'exceeded';
  return (
    <Alert
      color={isExceeded ? 'red' : 'yellow'}
      variant="light"
      p="xs"
      icon={<Icon name="warning" />}
      role="alert"
    >
      {isExceeded ? (
        <>What could still be lost is above the threshold of {limit}.</>
      ) : (
        <>
          It is not known whether what could still be lost is above the threshold of {limit}:
          Without an exchange rate: {formatQuantity(unconverted_count, 'amount')}.
        </>
      )}
    </Alert>
  );
}
