import { LedgerConnectionError } from '@decision-ledger/client';
import type { Review } from '@decision-ledger/client/api/review';
import { Alert, Badge, Button, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { ActionBar, KeyHelp } from '../../components/action-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import classes from '../../components/workspace.module.css';
import { formatCount } from '../../format/numbers.ts';
import { ANSWERS, KEYS } from './actions.ts';
import { Basis } from './basis.tsx';
import { Comparison } from './comparison.tsx';
import { Effect } from './effect.tsx';
import { EventList } from './event-list.tsx';
import { Evidence, Rivals } from './evidence.tsx';
import type { Queue } from './queue.ts';
import type { AnswerFailure, Answering } from './use-answering.ts';
import { type ReviewState, useWork } from './use-work.ts';

interface WorkspaceProps {
  readonly queue: Queue;
  /** At least one. */
  readonly reviews: readonly Review[];
  readonly answering: Answering;
  readonly canReview: boolean;
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'];

/** The events on the left, the one in view against a decision, and the evidence on the right. */
export function Workspace({ queue, reviews, answering, canReview }: WorkspaceProps) {
  const work = useWork(queue, reviews, answering, canReview);
  const { index, review, place, candidate, open, choose, actions } = work;
  useHotkeys([
    ['J', () => open(index + 1)],
    ['K', () => open(index - 1)],
    ...DIGITS.map((digit, at): [string, () => void] => [digit, () => choose(at)]),
  ]);
  if (review === undefined) return null;
  const reload = async () => {
    await queue.reload();
    answering.forget();
  };
  return (
    <>
      <div className={classes.columns}>
        <EventList
          {...{ reviews, current: index, answerTo: answering.answerTo }}
          onChoose={open}
          onReach={queue.reach}
        />
        <section className={classes.middle} aria-label="Event in view">
          <Heading review={review} place={index + 1} />
          {work.isElsewhere && (
            <Alert
              color="orange"
              variant="light"
              mb="sm"
              role="status"
              title="Another event is shown"
            >
              The event in the address is not in this list. It may be answered already.
            </Alert>
          )}
          <div className={classes.answer} data-screen-only>
            {canReview ? (
              <>
                <ActionBar answers={ANSWERS} actions={actions} isPending={answering.isPending} />
                <Effect
                  cause={work.cause}
                  reason={reasonOf(review, work.state)}
                  isPaused={answering.isPending || answering.isUndoing}
                />
              </>
            ) : (
              <Text c="dimmed" size="sm">
                To answer, sign in with a key that has the permission review.
              </Text>
            )}
            {answering.failure?.eventId === review.financial_event.id && (
              <Failure failure={answering.failure} onReload={() => void reload()} />
            )}
          </div>
          <Comparison event={review.financial_event} decisionId={candidate?.decision_id ?? null} />
        </section>
        <aside className={classes.right} aria-label="Evidence and rivals">
          {candidate?.evidence !== undefined && (
            <>
              <h2 className={classes.title}>Evidence</h2>
              <Basis
                eventId={review.financial_event.id}
                decisionId={candidate.decision_id}
                key={candidate.decision_id}
              >
                <Evidence evidence={candidate.evidence} />
              </Basis>
            </>
          )}
          <h2 className={classes.title}>Candidates</h2>
          <Rivals
            {...{ review, chosen: place, isRejected: answering.isRejected, onChoose: choose }}
          />
        </aside>
      </div>
      <KeyHelp keys={KEYS} />
    </>
  );
}

function Heading({ review, place }: { review: Review; place: number }) {
  const { financial_event: event, kind } = review;
  return (
    <div className={classes.heading}>
      <h2 className={classes.title}>
        {event.event_type} <span className={classes.place}>event {formatCount(place)}</span>
      </h2>
      {kind === 'audit' && (
        <Badge variant="default" tt="none" fw={500}>
          Audit sample
        </Badge>
      )}
    </div>
  );
}

/** Why there is no effect to show before the answer. */
function reasonOf({ kind }: Review, state: ReviewState): string {
  if (state === 'answered') return 'This event is answered. Undo withdraws the last answer.';
  if (state === 'uncertain') return 'No effect is shown until the answer is known to be saved.';
  return kind === 'audit'
    ? 'Drawn at random to measure the model: no score, rank or effect is shown, so that your answer does not follow the model.'
    : 'No decision is a candidate for this event.';
}

interface FailureProps {
  readonly failure: AnswerFailure;
  readonly onReload: () => void;
}

const LOST = {
  answer: {
    title: 'The answer may not have been saved',
    remedy: 'Answer again. If the first attempt was saved, it is not recorded twice.',
  },
  undo: {
    title: 'The answer may not have been withdrawn',
    remedy: 'It is shown as before. Undo again: withdrawing an answer twice has no effect.',
  },
} as const;

/** Why an answer failed, and how to go on without giving it twice. */
function Failure({ failure: { error, of }, onReload }: FailureProps) {
  if (!(error instanceof LedgerConnectionError)) {
    return (
      <>
        <ErrorPanel error={error} />
        <Button size="xs" variant="default" mt="xs" onClick={onReload}>
          Reload the list
        </Button>
      </>
    );
  }
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={LOST[of].title} role="alert">
      The connection was lost. {LOST[of].remedy}
    </Alert>
  );
}
