import { Fact } from '../../../components/record-side.tsx';
import { EventLink } from '../event-link.tsx';
import type { Possible } from './queue.ts';

export function Details({ id }: { id: string }) {
  return (
    <Fact name="Event">
      <EventLink id={id}>{id}</EventLink>
    </Fact>
  );
}

export const RULES: Readonly<Record<Possible['rule'], string>> = {
  same_reference: 'They have a reference in common, and their amounts fit, or nearly.',
  repeated: 'Their amounts fit, and the profile of one source says that it repeats the other.',
  repeated_in_books: 'Their amounts fit, and the books often repeat what others report.',
  arrived_at_bank: 'A payout has this amount, and payouts arrive at the bank.',
  sum_by_reference: 'They name the same order, and may be its money together.',
  sum_of_period:
    'Its amount is all that another source reports of a period, to the cent, or this less its fees.',
};

export const DOUBTS: Readonly<Record<Possible['doubt'], string>> = {
  far_apart:
    'It is not certain, because they are more than 4 days apart, and no reference that few events have is in both.',
  other_references:
    'It is not certain, because they name different customers, or different orders, or are payments of two processors.',
  other_kind:
    'It is not certain, because what is known of them is of different kinds, such as a payout and a sale.',
  other_amount:
    'It is not certain, because their amounts differ, as after a fee, a voucher, a first instalment or a conversion, and nobody states why.',
  several_possibilities:
    'It is not certain, because one of them may be the money of another event as well.',
  contradicting_links:
    'It is not certain, because people linked them to different decisions, or in opposite directions.',
  one_source:
    'It is not certain, because it would bring two events of one source together, which usually are two payments.',
  parted:
    'It is not certain, because it would bring events together that somebody said are not the same.',
  no_reference: 'It is not certain, because nothing but the amount says it.',
};
