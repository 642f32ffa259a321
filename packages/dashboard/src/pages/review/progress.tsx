import type { Decided } from '@decision-ledger/client/api/review';
import { Fragment } from 'react';
import { Money } from '../../components/money.tsx';
import { formatCount } from '../../format/numbers.ts';
import type { Today } from './tally.ts';

/** How many events were decided today, of those that waited. Undefined while it is not known. */
export function Progress({ today }: { today: Today | undefined }) {
  if (today === undefined) return <>&nbsp;</>;
  const { open, decided } = today;
  const { own, all } = decided;
  return (
    <span>
      {formatCount(own.events)} of {formatCount(own.events + open.reviews)}
      <Sums sums={own.sums} /> decided today
      {all.events > own.events && (
        <>
          {' '}
          by you, {formatCount(all.events)}
          <Sums sums={all.sums} /> by everybody
        </>
      )}
    </span>
  );
}

function Sums({ sums }: Pick<Decided, 'sums'>) {
  return sums.map(({ currency, amount }, at) => (
    <Fragment key={currency}>
      {at === 0 ? ', ' : ' + '}
      <Money amount={amount} currency={currency} />
    </Fragment>
  ));
}
