import type { Review } from '@decision-ledger/client/api/review';
import { notifications } from '@mantine/notifications';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useLive } from '../../app/live.tsx';
import type { Actions } from './actions.ts';
import type { Candidate, Intent } from './answers.ts';
import type { Cause } from './effect.tsx';
import { nextOf } from './next.ts';
import type { Queue } from './queue.ts';
import type { Answering } from './use-answering.ts';

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

const route = getRouteApi('/shell/review');

/** The event in view, which the address has, and its candidate in view. */
function useSelection(reviews: readonly Review[], isOpen: (review: Review) => boolean) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [choice, setChoice] = useState({ eventId: '', place: 0 });
  const named = reviews.findIndex(({ financial_event }) => financial_event.id === search.event);
  const index = named >= 0 ? named : Math.max(0, reviews.findIndex(isOpen));
  const review = reviews[index];
  const id = review?.financial_event.id ?? '';
  const candidates = review?.candidates ?? [];
  const isElsewhere = search.event !== undefined && named < 0;
  const place = choice.eventId === id ? choice.place : 0;
  return {
    index,
    review,
    /** Whether the address names an event that is not in the list, so that another one is in view. */
    isElsewhere,
    place,
    candidate: candidates[place],
    /** Shows the event at this index, if there is one. */
    open(at: number) {
      const event = reviews[at]?.financial_event.id;
      if (event === undefined) return;
      void navigate({ to: '/review', search: { ...search, event }, replace: true });
    },
    choose(at: number) {
      if (at < candidates.length) setChoice({ eventId: id, place: at });
    },
  };
}

/** The links that are suggested now: an answer or its withdrawal replaces those of its event. */
function useSuggestions() {
  /** Links by event and decision. */
  const [made, setMade] = useState<ReadonlyMap<string, string>>(new Map());
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const drop = (links: readonly string[]) => setGone((known) => new Set([...known, ...links]));
  useLive(({ type, data }) => {
    const { financial_event_id: event, decision_id: decision, subject } = data;
    if (typeof subject !== 'string') return;
    if (type === 'link.suggested') {
      setMade((known) => new Map(known).set(`${String(event)} ${String(decision)}`, subject));
    }
    if (type === 'link.deleted' || type === 'link.rejected') drop([subject]);
  });
  return {
    /** These links are no longer suggested. */
    drop,
    /** The link that is suggested for a candidate. An audit does not say. */
    linkOf(review: Review, candidate: Candidate | undefined): string | undefined {
      if (review.kind === 'audit' || candidate === undefined) return undefined;
      const { link_id, decision_id } = candidate;
      const link = made.get(`${review.financial_event.id} ${decision_id}`) ?? link_id;
      return link === undefined || gone.has(link) ? undefined : link;
    },
  };
}
