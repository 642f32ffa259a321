import { type Ledger, LedgerApiError } from '@decision-ledger/client';
import type {
  Decided,
  GivenAnswer,
  GivenAnswerPage,
  Review,
} from '@decision-ledger/client/api/review';
import { now } from '../../app/clock.ts';
import { absoluteOf, isZero, sumOf } from '../../format/decimal.ts';

export type Candidate = Review['candidates'][number];

/** What a person says: this candidate is the cause, it is not, none of them is, or nobody can tell. */
export type Intent =
  | { readonly kind: 'cause'; readonly candidate: Candidate }
  | { readonly kind: 'rejected'; readonly candidate: Candidate; readonly linkId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'skipped' };

/** An answer that was given, with what is needed to take it back. */
export type Step = Pick<
  GivenAnswer,
  'financial_event_id' | 'event_type' | 'amount' | 'currency' | 'verdict' | 'decision_id' | 'links'
>;

/** Whether two say the same of the same event. */
export function isSame(a: Step, b: Step): boolean {
  return (
    a.financial_event_id === b.financial_event_id &&
    a.verdict === b.verdict &&
    a.decision_id === b.decision_id
  );
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
  const { id, event_type, amount, currency } = review.financial_event;
  const step = {
    ...{ financial_event_id: id, event_type, amount, currency, verdict: intent.kind },
    ...('candidate' in intent && { decision_id: intent.candidate.decision_id }),
    links: [],
  };
  const arrived = isRepeated ? await readAnswer(ledger, step) : null;
  return arrived ?? { ...step, links: await sendAnswer(ledger, id, intent) };
}

/** @returns the links that the answer is about; none for one about the event as a whole */
async function sendAnswer(ledger: Ledger, eventId: string, intent: Intent): Promise<string[]> {
  switch (intent.kind) {
    case 'cause': {
      const { decision_id } = intent.candidate;
      const { link } = await ledger.reviews.answer(eventId, { decision_id });
      return link === undefined ? [] : [link.id];
    }
    case 'rejected':
      return [(await ledger.links.reject(intent.linkId)).id];
    case 'none':
      await ledger.reviews.answer(eventId, { none: true });
      return [];
    case 'skipped':
      await ledger.reviews.answer(eventId, { skip: true });
      return [];
  }
}

const RECENT_MS = 86_400_000;

/** The answer as the service has it; null if it has not arrived, or was taken back. */
async function readAnswer(ledger: Ledger, step: Step): Promise<Step | null> {
  const start = new Date(now() - RECENT_MS).toISOString();
  const { answers } = await ledger.reviews.answers({ start, own: true, limit: 100 }).page();
  return answers.find((answer) => isSame(answer, step)) ?? null;
}

/** Takes an answer back. It may be repeated. */
export async function takeBack(ledger: Ledger, step: Step): Promise<void> {
  // The suggestions that "none" rejected are known to the service alone.
  const { links } = step.verdict === 'none' ? ((await readAnswer(ledger, step)) ?? step) : step;
  for (const link of links) await ledger.links.delete(link);
  if (step.verdict !== 'none' && step.verdict !== 'skipped') return;
  try {
    await ledger.reviews.withdraw(step.financial_event_id);
  } catch (error) {
    // Taken back already.
    if (!(error instanceof LedgerApiError && error.code === 'invalid_state')) throw error;
  }
}

/** What was answered and decided today, and what is open. */
export interface Today extends Pick<GivenAnswerPage, 'decided' | 'open'> {
  /** Those of the person, the last one first. */
  readonly answers: readonly Step[];
}

/** An answer that is given or taken back before the service is asked again. */
export interface Change {
  readonly step: Step;
  readonly to: 'given' | 'withdrawn';
}

/** What is shown after a change; the same if the service has told of it already. */
export function applied(today: Today, { step, to }: Change): Today {
  const isThere = today.answers.some((other) => isSame(other, step));
  if (isThere === (to === 'given')) return today;
  const others = today.answers.filter((other) => !isSame(other, step));
  const answers = to === 'given' ? [step, ...others] : others;
  const sign = to === 'given' ? 1 : -1;
  const isElsewhere = others.some((other) => isDecision(other) && isOfSameEvent(other, step));
  const isCounted = isDecision(step) && !isElsewhere;
  const { own, all } = today.decided;
  const { open } = today;
  return {
    answers,
    decided: isCounted
      ? { own: moved(own, step, sign), all: moved(all, step, sign) }
      : today.decided,
    open:
      step.verdict === 'rejected' || isElsewhere
        ? open
        : { ...open, reviews: Math.max(0, open.reviews - sign) },
  };
}

/** Whether an answer names the cause of an event, or its absence. */
function isDecision({ verdict }: Step): boolean {
  return verdict === 'cause' || verdict === 'none';
}

function isOfSameEvent(a: Step, b: Step): boolean {
  return a.financial_event_id === b.financial_event_id;
}

function moved(decided: Decided, { amount, currency }: Step, sign: 1 | -1): Decided {
  const size = absoluteOf(amount);
  const known = decided.sums.find((sum) => sum.currency === currency)?.amount ?? '0';
  const sum = { currency, amount: sumOf([known, sign === 1 ? size : `-${size}`]) };
  const others = decided.sums.filter((other) => other.currency !== currency);
  const sums = isZero(sum.amount) ? others : [...others, sum];
  return {
    events: decided.events + sign,
    sums: sums.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}
