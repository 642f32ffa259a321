import { LedgerConnectionError } from '@decision-ledger/client';
import type { Review } from '@decision-ledger/client/api/review';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLedger } from '../../app/session/context.ts';
import { giveAnswer, type Intent, isSame, type Step, takeBack } from './answers.ts';
import type { LogOwner } from './day-log.ts';
import { EFFECT_KEY } from './effect.tsx';
import { useDayLog } from './use-day-log.ts';

/** What was said of the events in view since the list was read. */
export interface Answering {
  /** The answers of today, the last one at the end. */
  readonly steps: readonly Step[];
  readonly isPending: boolean;
  /** Why the last answer or its withdrawal failed, and the event that it concerns. */
  readonly failure: { readonly error: Error; readonly eventId: string } | null;
  /** Whether the event may have an answer that the connection lost. */
  isUncertain(eventId: string): boolean;
  /** The answer to the event; undefined while it is open. */
  answerTo(eventId: string): Step['kind'] | undefined;
  isRejected(linkId: string | undefined): boolean;
  give(review: Review, intent: Intent): Promise<boolean>;
  /** Takes the last answer back. */
  undo(): Promise<Step | null>;
  /** The list was read again. */
  forget(): void;
}

/** Gives one answer at a time, each once. */
export function useAnswering(owner: LogOwner): Answering {
  const ledger = useLedger();
  const { steps, add, remove } = useDayLog(owner);
  const [fresh, setFresh] = useState<readonly Step[]>([]);
  const [failure, setFailure] = useState<Answering['failure']>(null);
  const { stop, refresh } = useReads();
  /** Events with an answer whose fate is unknown, because the connection was lost. */
  const [uncertain, setUncertain] = useState<ReadonlySet<string>>(new Set());
  const isBusy = useRef(false);
  // Set together with the outcome: where an outcome is shown, the next answer can be given.
  const [isPending, setPending] = useState(false);
  const run = async (eventId: string, work: () => Promise<Step>): Promise<Step | null> => {
    if (isBusy.current) return null;
    isBusy.current = true;
    setPending(true);
    setFailure(null);
    try {
      await stop();
      const step = await work();
      setUncertain((known) => new Set([...known].filter((id) => id !== eventId)));
      refresh(step);
      return step;
    } catch (error) {
      if (error instanceof LedgerConnectionError) {
        setUncertain((known) => new Set([...known, eventId]));
      }
      if (error instanceof Error) setFailure({ error, eventId });
      return null;
    } finally {
      isBusy.current = false;
      setPending(false);
    }
  };
  return {
    ...{ steps, isPending, failure },
    isUncertain: (eventId) => uncertain.has(eventId),
    answerTo: (eventId) =>
      fresh.findLast((step) => step.eventId === eventId && step.kind !== 'rejected')?.kind,
    isRejected: (linkId) =>
      fresh.some(({ kind, links }) => kind === 'rejected' && links[0] === linkId),
    async give(review, intent) {
      const { id } = review.financial_event;
      const step = await run(id, () => giveAnswer(ledger, review, intent, uncertain.has(id)));
      if (step === null) return false;
      add(step);
      setFresh((known) => [...known, step]);
      return true;
    },
    async undo() {
      const last = steps.at(-1);
      if (last === undefined) return null;
      const undone = await run(last.eventId, async () => {
        await takeBack(ledger, last);
        return last;
      });
      if (undone === null) return null;
      remove(last);
      setFresh((known) => known.filter((step) => !isSame(step, last)));
      return last;
    },
    forget() {
      setFresh([]);
      setFailure(null);
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
    refresh({ eventId }: Step): void {
      const stale = [['reviews'], ['figures'], ['decision'], ['event', eventId], EFFECT_KEY];
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
    },
  };
}
