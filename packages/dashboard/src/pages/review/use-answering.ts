import { LedgerConnectionError } from '@decision-ledger/client';
import type { Review } from '@decision-ledger/client/api/review';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { now } from '../../app/clock.ts';
import { useLedger } from '../../app/session/context.tsx';
import {
  applied,
  type Change,
  giveAnswer,
  type Intent,
  isSame,
  type Step,
  type Today,
  takeBack,
} from './answers.ts';
import { EFFECT_KEY } from './effect.tsx';

/** Why the last answer or its withdrawal failed. */
export interface AnswerFailure {
  readonly error: Error;
  readonly of: 'answer' | 'undo';
  /** The event that it concerns. */
  readonly eventId: string;
}

/** What was said of the events in view since the list was read. */
export interface Answering {
  /** Undefined until it is known. */
  readonly today: Today | undefined;
  /** Whether an answer is on its way. */
  readonly isPending: boolean;
  /** Whether answers are being taken back, which are shown as taken back already. */
  readonly isUndoing: boolean;
  readonly failure: AnswerFailure | null;
  /** Whether the event may have an answer that the connection lost. */
  isUncertain(eventId: string): boolean;
  /** The answer to the event; undefined while it is open. */
  answerTo(eventId: string): Step['verdict'] | undefined;
  isRejected(linkId: string | undefined): boolean;
  give(review: Review, intent: Intent): Promise<boolean>;
  /** Takes the last answer back. `done` resolves to whether the service did so. */
  undo(): { readonly step: Step; readonly done: Promise<boolean> } | null;
  /** The list was read again. */
  forget(): void;
}

/** Gives one answer at a time, each once. An answer that is taken back is gone at once, and returns if that fails. */
export function useAnswering(): Answering {
  const ledger = useLedger();
  const answers = useAnswers();
  const { stop, refresh } = useReads();
  const [fresh, setFresh] = useState<readonly Step[]>([]);
  const [failure, setFailure] = useState<Answering['failure']>(null);
  /** Events with an answer whose fate is unknown, because the connection was lost. */
  const [uncertain, setUncertain] = useState<ReadonlySet<string>>(new Set());
  const isBusy = useRef(false);
  // Set together with the outcome: where an outcome is shown, the next answer can be given.
  const [isPending, setPending] = useState(false);
  const undos = useUndos();
  const fail = (of: AnswerFailure['of'], eventId: string, error: unknown) => {
    if (error instanceof Error) setFailure({ error, of, eventId });
  };
  const send = async (review: Review, intent: Intent): Promise<boolean> => {
    const { id } = review.financial_event;
    try {
      await undos.settled();
      await stop();
      const step = await giveAnswer(ledger, review, intent, uncertain.has(id));
      setUncertain((known) => new Set([...known].filter((other) => other !== id)));
      setFresh((known) => [...known, step]);
      void answers.show(step, 'given', Promise.resolve());
      refresh(id);
      return true;
    } catch (error) {
      if (error instanceof LedgerConnectionError) {
        setUncertain((known) => new Set([...known, id]));
      }
      fail('answer', id, error);
      return false;
    }
  };
  return {
    ...{ today: answers.today, isPending, isUndoing: undos.isRunning, failure },
    isUncertain: (eventId) => uncertain.has(eventId),
    answerTo: (eventId) =>
      fresh.findLast((step) => step.financial_event_id === eventId && step.verdict !== 'rejected')
        ?.verdict,
    isRejected: (linkId) =>
      fresh.some(({ verdict, links }) => verdict === 'rejected' && links[0] === linkId),
    async give(review, intent) {
      if (isBusy.current) return false;
      isBusy.current = true;
      setPending(true);
      setFailure(null);
      const isGiven = await send(review, intent);
      isBusy.current = false;
      setPending(false);
      return isGiven;
    },
    undo() {
      const step = answers.today?.answers[0];
      if (step === undefined || isBusy.current) return null;
      const { financial_event_id: id } = step;
      const former = fresh.filter((other) => isSame(other, step));
      setFailure(null);
      setFresh(fresh.filter((other) => !former.includes(other)));
      const made = undos.add(async () => {
        await stop();
        await takeBack(ledger, step);
      });
      const shown = answers.show(step, 'withdrawn', made);
      const done = shown.then(
        () => true,
        (error: unknown) => {
          setFresh((known) => [...known, ...former]);
          fail('undo', id, error);
          return false;
        },
      );
      return { step, done: done.finally(() => refresh(id)) };
    },
    forget() {
      setFresh([]);
      setFailure(null);
    },
  };
}

/** Answers are taken back one after another, the last one first. */
function useUndos() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [running, setRunning] = useState(0);
  return {
    isRunning: running > 0,
    /** Waits for all that were asked for. */
    settled: () => last.current,
    add(work: () => Promise<void>): Promise<void> {
      setRunning((count) => count + 1);
      const done = last.current.then(work).finally(() => setRunning((count) => count - 1));
      last.current = done.catch(() => undefined);
      return done;
    },
  };
}

/** What is read of the ledger beside an answer. */
function useReads() {
  const queries = useQueryClient();
  return {
    /** A dry run of an answer that is being given would be refused. */
    stop: () => queries.cancelQueries({ queryKey: EFFECT_KEY }),
    /** An answer changes figures, the event, and the decisions that have a share of it. */
    refresh(eventId: string): void {
      const stale = [['reviews'], ['figures'], ['decision'], ['event', eventId], EFFECT_KEY];
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
    },
  };
}

/** Enough to take back what a person remembers. */
const SHOWN = 50;
/** Other people and tabs answer as well, and not every answer is sent on the stream. */
const REFRESH_MS = 15_000;
/** The number of open events changes by itself while events are scored. */
const SCORING_MS = 2000;

/**
 * What was answered today. The service counts it, so a reload and other tabs show the same; a change is shown at once,
 * until the service has told of it or refused it.
 */
function useAnswers() {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const start = startOfToday();
  const { data } = useQuery({
    queryKey: ['reviews', 'answers', start],
    queryFn: ({ signal }): Promise<Today> =>
      ledger.reviews.answers({ start, own: true, limit: SHOWN }, { signal }).page(),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.open.is_scoring ? SCORING_MS : REFRESH_MS),
  });
  return {
    /** Undefined until it is known. */
    today: data === undefined ? undefined : changes.reduce(applied, data),
    /** Shows a change while it is made, and what it was before if that fails. */
    async show(step: Step, to: Change['to'], made: Promise<unknown>): Promise<void> {
      const change = { step, to };
      setChanges((known) => [...known, change]);
      try {
        await made;
        await queries.invalidateQueries({ queryKey: ['reviews'] });
      } finally {
        setChanges((known) => known.filter((other) => other !== change));
      }
    },
  };
}

/** By the clock of the reader. */
function startOfToday(): string {
  const date = new Date(now());
  date.setHours(0, 0, 0, 0);
  return date.toISOString();
}
