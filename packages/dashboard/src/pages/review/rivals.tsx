import type { Review } from '@decision-ledger/client/api/review';
import { Kbd } from '@mantine/core';
import { LinkLabel } from '../../components/link-label.tsx';
import { Moment } from '../../components/moment.tsx';
import { formatShare } from '../../format/numbers.ts';
import type { Candidate } from './answers.ts';
import classes from './rivals.module.css';

interface RivalsProps {
  readonly review: Review;
  readonly chosen: number;
  readonly isRejected: (linkId: string | undefined) => boolean;
  readonly onChoose: (index: number) => void;
}

/** The candidates and "no recorded decision", which compete for the event. An audit shows no shares. */
export function Rivals({ review, chosen, isRejected, onChoose }: RivalsProps) {
  const { candidates, none_share } = review;
  return (
    <ol className={classes.list} aria-label="Candidates">
      {candidates.map((candidate, index) => (
        <li key={candidate.decision_id}>
          <button
            type="button"
            className={classes.row}
            aria-current={index === chosen}
            data-rejected={isRejected(candidate.link_id)}
            onClick={() => onChoose(index)}
          >
            <Kbd size="xs">{(index + 1) % 10}</Kbd>
            <Rival candidate={candidate} isRejected={isRejected(candidate.link_id)} />
          </button>
        </li>
      ))}
      {none_share !== undefined && (
        <li className={classes.none}>
          <span className={classes.name}>No recorded decision</span>
          <Share share={none_share} />
        </li>
      )}
    </ol>
  );
}

function Rival({ candidate, isRejected }: { candidate: Candidate; isRejected: boolean }) {
  const { action_type, agent_id, timestamp, share, label, link_id } = candidate;
  return (
    <>
      <span className={classes.name}>
        {action_type} <span className={classes.agent}>by {agent_id}</span>
      </span>
      {share !== undefined && <Share share={share} />}
      <span className={classes.more}>
        <Moment time={timestamp} />
        {isRejected ? 'Rejected' : link_id !== undefined && <LinkLabel label={label ?? null} />}
      </span>
    </>
  );
}

function Share({ share }: { share: number }) {
  return <span className={classes.share}>{formatShare(share, 1)}</span>;
}
