import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Facts } from '../../components/facts.tsx';
import { Hash } from '../../components/hash.tsx';
import { formatCount } from '../../format/numbers.ts';

/** The hash of the record, and the records before and after it. */
export function Chain({ decision }: { decision: DecisionInDetail }) {
  const { seq, hash, prev_hash } = decision;
  return (
    <Facts
      facts={[
        ['Position', formatCount(seq)],
        ['Hash', <Hash key="hash" value={hash} label="the hash" full />],
        [
          'Hash of the record before',
          <Hash key="prev" value={prev_hash} label="the hash of the record before" full />,
        ],
      ]}
    />
  );
}
