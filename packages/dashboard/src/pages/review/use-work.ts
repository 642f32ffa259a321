import type { Review } from '@decision-ledger/client/api/review';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import type { Actions } from './actions.tsx';
import type { Candidate, Intent } from './answers.ts';
import type { Cause } from './effect.tsx';
import { nextOf } from './next.ts';
import type { Queue } from './queue.ts';
import type { Answering } from './use-answering.ts';
import { useSelection } from './use-selection.ts';
import { useSuggestions } from './use-suggestions.ts';

/** What is in view, and what can be done with it. */
export function useWork(
  queue: Queue,
  reviews: readonly Review[],
  answering: Answering,
  canReview: boolean,
) {
  const isOpen = ({ financial_event: { id } }: Review) => answering.answerTo(id) === undefined;
  const selection = useSelection(reviews, isOpen);
  const suggestions = useSuggestions();
  const { index, review, candidate, open, choose } = selection;
  useEffect(() => queue.reach(index));
  const linkId = review === undefined ? undefined : suggestions.linkOf(review, candidate);
  const give = async (intent: Intent) => {
    if (review === undefined || !(await answering.give(review, intent))) return;
    if (intent.kind === 'rejected') {
      suggestions.drop([intent.linkId]);
      choose(nextCandidate(review, selection.place, answering));
    } else {
      open(nextOf(reviews, index, isOpen));
    }
  };
  const undo = async () => {
    const taken = answering.undo();
    if (taken === null) return;
    const { step, done } = taken;
    const at = reviews.findIndex(({ financial_event: { id } }) => id === step.financial_event_id);
    open(at);
    const isDone = await done;
    if (isDone) suggestions.drop(step.links);
    if (at >= 0) return;
    notifications.show(isDone ? TAKEN_BACK : NOT_TAKEN_BACK);
    await queue.reload();
  };
  const isIdle = canReview && !answering.isPending;
  const isAnswerable = isIdle && review !== undefined && isOpen(review);
  const intents = isAnswerable ? intentsOf(candidate, linkId) : NO_INTENTS;
  const doing = (intent: Intent | null) => (intent === null ? null : () => void give(intent));
  const actions: Actions = {
    confirm: doing(intents.cause),
    reject: doing(intents.rejected),
    none: doing(intents.none),
    skip: doing(intents.skipped),
    undo:
      isIdle && answering.today !== undefined && answering.today.answers.length > 0
        ? () => void undo()
        : null,
  };
  const state = review === undefined ? 'open' : stateOf(review, answering);
  return {
    ...selection,
    actions,
    /** The answer whose effect is shown before it is given. */
    cause: state === 'open' && review !== undefined ? causeOf(review, candidate) : undefined,
    state,
  };
}

/** Uncertain: the connection was lost while it was answered. */
export type ReviewState = 'open' | 'answered' | 'uncertain';

function stateOf({ financial_event: { id } }: Review, answering: Answering): ReviewState {
  if (answering.answerTo(id) !== undefined) return 'answered';
  return answering.isUncertain(id) ? 'uncertain' : 'open';
}

/** An audit shows no effect, so that the answer does not follow the model. */
function causeOf(
  { kind, financial_event }: Review,
  candidate: Candidate | undefined,
): Cause | undefined {
  if (kind === 'audit' || candidate === undefined) return undefined;
  return { eventId: financial_event.id, decisionId: candidate.decision_id };
}

/** Of events that are not in the list, which was read after they were answered. */
const TAKEN_BACK = { message: 'Answer withdrawn. The event is waiting for review again.' };
const NOT_TAKEN_BACK = {
  color: 'red',
  message: 'The answer could not be withdrawn and still stands. Try again.',
};

type Intents = Readonly<Record<Intent['kind'], Intent | null>>;

const NO_INTENTS: Intents = { cause: null, rejected: null, none: null, skipped: null };

/** What may be said: only a suggested link can be rejected. */
function intentsOf(candidate: Candidate | undefined, linkId: string | undefined): Intents {
  const isSuggested = candidate !== undefined && linkId !== undefined;
  return {
    cause: candidate === undefined ? null : { kind: 'cause', candidate },
    rejected: isSuggested ? { kind: 'rejected', candidate, linkId } : null,
    none: { kind: 'none' },
    skipped: { kind: 'skipped' },
  };
}

/** The next candidate that was not rejected. */
function nextCandidate({ candidates }: Review, place: number, answering: Answering): number {
  return nextOf(candidates, place, ({ link_id }) => !answering.isRejected(link_id));
}
