import { type Ledger, LedgerApiError } from '@decision-ledger/client';
import type { Review } from '@decision-ledger/client/api/review';

export type Candidate = Review['candidates'][number];

/** What a person says: this candidate is the cause, it is not, none of them is, or nobody can tell. */
export type Intent =
  | { readonly kind: 'cause'; readonly candidate: Candidate }
  | { readonly kind: 'rejected'; readonly candidate: Candidate; readonly linkId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'skipped' };

/** An answer that was given, with what is needed to take it back. */
export interface Step {
  readonly kind: Intent['kind'];
  readonly eventId: string;
  /** Of the event, without its sign. */
  readonly amount: string;
  readonly currency: string;
  /** The links whose deletion takes it back. */
  readonly links: readonly string[];
}

export function isSame(a: Step, b: Step): boolean {
  return a.eventId === b.eventId && a.kind === b.kind && a.links.join() === b.links.join();
}

/**
 * Carries an answer out.
 * @param isRepeated whether it was sent before and its fate is unknown: what has arrived is not sent again
 */
export async function giveAnswer(
  ledger: Ledger,
  review: Review,
  intent: Intent,
  isRepeated: boolean,
): Promise<Step> {
  const { id, amount, currency } = review.financial_event;
  const arrived = isRepeated ? await findAnswer(ledger, id, intent) : null;
  const links = arrived ?? (await sendAnswer(ledger, id, intent));
  return { kind: intent.kind, eventId: id, amount: amount.replace(/^-/, ''), currency, links };
}

/** @returns the links whose deletion takes the answer back */
async function sendAnswer(ledger: Ledger, eventId: string, intent: Intent): Promise<string[]> {
  switch (intent.kind) {
    case 'cause': {
      const { decision_id } = intent.candidate;
      const { link } = await ledger.reviews.answer(eventId, { decision_id });
      return link === undefined ? [] : [link.id];
    }
    case 'rejected':
      return [(await ledger.links.reject(intent.linkId)).id];
    case 'none': {
      const query = { financial_event_id: eventId, status: 'ML_SUGGESTED' } as const;
      const rejected = await ledger.links.list(query).toArray();
      await ledger.reviews.answer(eventId, { none: true });
      return rejected.map(({ id }) => id);
    }
    case 'skipped':
      await ledger.reviews.answer(eventId, { skip: true });
      return [];
  }
}

/** The links of an answer that has arrived; null if it has not. */
async function findAnswer(
  ledger: Ledger,
  eventId: string,
  intent: Intent,
): Promise<readonly string[] | null> {
  if (intent.kind === 'rejected') {
    const { id, status } = await ledger.links.get(intent.linkId);
    return status === 'REJECTED' ? [id] : null;
  }
  if (intent.kind === 'cause') {
    const links = await ledger.links.list({ financial_event_id: eventId }).toArray();
    const made = links.find(
      ({ decision_id, status }) =>
        decision_id === intent.candidate.decision_id && status !== 'ML_SUGGESTED',
    );
    return made === undefined ? null : [made.id];
  }
  return findVerdict(ledger, eventId, intent.kind);
}

/** Of the event as a whole. The suggestions that "none" rejected were reviewed just before it. */
async function findVerdict(
  ledger: Ledger,
  eventId: string,
  kind: 'none' | 'skipped',
): Promise<readonly string[] | null> {
  const query = { subject: eventId, type: 'financial_event.reviewed' };
  const [last] = await ledger.operations.activity(query).toArray(1);
  if (last?.data?.verdict !== kind) return null;
  if (kind === 'skipped') return [];
  const rejected = await ledger.links
    .list({ financial_event_id: eventId, status: 'REJECTED' })
    .toArray();
  const from = Date.parse(last.created_at) - SAME_ANSWER_MS;
  return rejected
    .filter(({ reviewed_at }) => Date.parse(reviewed_at ?? '') >= from)
    .map(({ id }) => id);
}

const SAME_ANSWER_MS = 1000;

/** Takes an answer back. It may be repeated. */
export async function takeBack(ledger: Ledger, { kind, eventId, links }: Step): Promise<void> {
  for (const link of links) await ledger.links.delete(link);
  if (kind !== 'none' && kind !== 'skipped') return;
  try {
    await ledger.reviews.withdraw(eventId);
  } catch (error) {
    // Taken back already.
    if (!(error instanceof LedgerApiError && error.code === 'invalid_state')) throw error;
  }
}
