import type { Review } from '@decision-ledger/client/api/review';
import { useState } from 'react';
import { useLive } from '../../app/live/context.tsx';
import type { Candidate } from './answers.ts';

/** The links that are suggested now: an answer or its withdrawal replaces those of its event. */
export function useSuggestions() {
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
