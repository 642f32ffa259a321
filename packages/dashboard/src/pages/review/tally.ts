import type { Decided, GivenAnswerPage } from '@decision-ledger/client/api/review';
import { absoluteOf, isZero, sumOf } from '../../format/decimal.ts';
import { isSame, type Step } from './answers.ts';

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
