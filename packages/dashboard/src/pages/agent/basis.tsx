import { useSession } from '../../app/session/context.ts';
import { Facts } from '../../components/facts.tsx';
import { Hash } from '../../components/hash.tsx';
import { Moment } from '../../components/moment.tsx';
import { Section } from '../../components/page.tsx';
import { useSigningKeys } from '../../components/use-signing-keys.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { reviewedShareOf, type Statement } from './statement.ts';

/** What the statement rests on: who made it, of which state of the ledger, and how much of it people reviewed. */
export function Basis({ statement: { pnl, exposure } }: { statement: Statement }) {
  const { name } = useSession();
  const current = useSigningKeys().data?.find(({ retired_at }) => retired_at === null);
  const reviewed = reviewedShareOf(pnl);
  return (
    <Section title="Basis of this statement">
      <Facts
        facts={[
          ['Prepared by', name],
          ['Money as of', <Moment key="money" time={pnl.as_of} style="time" />],
          ['Exposure as of', <Moment key="exposure" time={exposure.as_of} style="time" />],
          ['Position in the chain of changes', formatCount(pnl.activity_seq)],
          [
            'Linked money that people reviewed',
            reviewed === null ? 'No money is linked' : formatShare(reviewed, 1),
          ],
          [
            'Fingerprint of the signing key',
            current === undefined ? (
              'No export was signed yet'
            ) : (
              <Hash key="key" value={current.fingerprint} label="the fingerprint" full />
            ),
          ],
        ]}
      />
    </Section>
  );
}
