import type { Review } from '@decision-ledger/client/api/review';
import { Icon } from '../../components/icon.tsx';
import classes from '../../components/queue-list.module.css';
import { QueueList } from '../../components/queue-list.tsx';
import { LinkLabel } from '../../components/values.tsx';
import type { Step } from './answers.ts';

interface EventListProps {
  readonly reviews: readonly Review[];
  readonly current: number;
  readonly answerTo: (eventId: string) => Step['verdict'] | undefined;
  readonly onChoose: (index: number) => void;
  readonly onReach: (index: number) => void;
}

const ANSWERS: Readonly<Record<Step['verdict'], string>> = {
  cause: 'Confirmed',
  none: 'None',
  skipped: 'Skipped',
  rejected: 'Rejected',
};

/** The events to review, with the answers to those that are answered. */
export function EventList({ reviews, current, answerTo, onChoose, onReach }: EventListProps) {
  const answerOf = ({ financial_event }: Review) => answerTo(financial_event.id);
  return (
    <QueueList
      label="Events to review"
      items={reviews}
      eventOf={({ financial_event }) => financial_event}
      isDone={(review) => answerOf(review) !== undefined}
      note={(review) => <Note review={review} answer={answerOf(review)} />}
      {...{ current, onChoose, onReach }}
    />
  );
}

function Note({ review, answer }: { review: Review; answer: Step['verdict'] | undefined }) {
  if (answer === undefined) return <Waiting review={review} />;
  return (
    <span className={classes.done}>
      <Icon name="check" size={12} /> {ANSWERS[answer]}
    </span>
  );
}

/** What is known of an open event at a glance. */
function Waiting({ review: { kind, candidates } }: { review: Review }) {
  if (kind === 'audit') return <span className={classes.audit}>Audit</span>;
  const suggested = candidates.find(({ link_id }) => link_id !== undefined);
  if (suggested === undefined) return <span>No suggestion</span>;
  return <LinkLabel label={suggested.label ?? null} />;
}
