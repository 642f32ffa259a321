import { Fragment } from 'react';
import { Money } from '../../components/money.tsx';
import { useOpenReviews } from '../../components/open-reviews.ts';
import { formatCount } from '../../format/numbers.ts';
import type { Step } from './answers.ts';
import { tallyOf } from './day-log.ts';

/** How many events were decided today, of those that waited. */
export function Progress({ steps }: { steps: readonly Step[] }) {
  const open = useOpenReviews();
  if (open === undefined) return <>&nbsp;</>;
  const { decided, sums } = tallyOf(steps);
  return (
    <span title="Your answers of today in this browser">
      {formatCount(decided)} of {formatCount(decided + open.reviews)}
      {sums.map(({ currency, amount }, at) => (
        <Fragment key={currency}>
          {at === 0 ? ', ' : ' + '}
          <Money amount={amount} currency={currency} />
        </Fragment>
      ))}{' '}
      decided today
    </span>
  );
}
