import type { Review } from '@decision-ledger/client/api/review';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Icon } from '../../components/icon.tsx';
import { LinkLabel, Moment, Money } from '../../components/values.tsx';
import type { Step } from './answers.ts';
import classes from './event-list.module.css';

interface EventListProps {
  readonly reviews: readonly Review[];
  readonly current: number;
  readonly answerTo: (eventId: string) => Step['verdict'] | undefined;
  readonly onChoose: (index: number) => void;
  /** The row at this index came into view. */
  readonly onReach: (index: number) => void;
}

const ROW_PX = 62;

const ANSWERS: Readonly<Record<Step['verdict'], string>> = {
  cause: 'Confirmed',
  none: 'None',
  skipped: 'Skipped',
  rejected: 'Rejected',
};

/** The events to review, in the order of the API. */
export function EventList({ reviews, current, answerTo, onChoose, onReach }: EventListProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: reviews.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    onChange: ({ range }) => onReach(range?.endIndex ?? 0),
  });
  useEffect(() => virtualizer.scrollToIndex(current), [virtualizer, current]);
  return (
    <nav ref={box} className={classes.box} aria-label="Events to review">
      <ol className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const review = reviews[index];
          return (
            review !== undefined && (
              <li
                key={review.financial_event.id}
                className={classes.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  className={classes.row}
                  aria-current={index === current}
                  onClick={() => onChoose(index)}
                >
                  <Row review={review} answer={answerTo(review.financial_event.id)} />
                </button>
              </li>
            )
          );
        })}
      </ol>
    </nav>
  );
}

function Row({ review, answer }: { review: Review; answer: Step['verdict'] | undefined }) {
  const { financial_event: event } = review;
  return (
    <>
      <span className={classes.line} data-done={answer !== undefined}>
        <span className={classes.type}>{event.event_type}</span>
        <Money amount={event.amount} currency={event.currency} />
      </span>
      <span className={classes.more}>
        <Moment time={event.timestamp} />
        {answer === undefined ? (
          <Waiting review={review} />
        ) : (
          <span className={classes.done}>
            <Icon name="check" size={12} /> {ANSWERS[answer]}
          </span>
        )}
      </span>
    </>
  );
}

/** What is known of an open event at a glance. */
function Waiting({ review: { kind, candidates } }: { review: Review }) {
  if (kind === 'audit') return <span className={classes.audit}>Audit</span>;
  const suggested = candidates.find(({ link_id }) => link_id !== undefined);
  if (suggested === undefined) return <span>No suggestion</span>;
  return <LinkLabel label={suggested.label ?? null} />;
}
