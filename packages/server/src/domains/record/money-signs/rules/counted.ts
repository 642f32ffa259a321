import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import { classifyEvent, type TypedEvent } from './classify.js';
import { type Directed, isOutgoing, mayReverse } from './direction.js';
import { signOf, withSign } from './sign.js';

/**
 * The amount of an event with the sign that all its parts count with. Links of people decide it: a cost,
 * refund or loss makes it negative, or positive where it is a reversal; revenue and savings keep the
 * event's own sign, and so do links that disagree. Without such a link, the event type decides for a
 * source without signs, and the event's own sign for any other.
 * @param human the live links that people created or confirmed
 * @returns decimal text with the digits of the amount
 */
export function countedAmount(
  settings: MoneySignSettings,
  event: TypedEvent,
  human: readonly Directed[],
): string {
  const [first] = human;
  if (first === undefined)
    return withSign(event.amount, classifyEvent(settings, event).countedSign);
  const agree = human.every(
    (link) => mayReverse(link.link_type) && link.reversal === first.reversal,
  );
  if (!agree) return event.amount;
  return withSign(event.amount, isOutgoing(first) ? -1 : 1);
}

/**
 * Whether two links say opposite things of the direction of an event's money, so that people may not
 * make both.
 * @param amount of the event, decimal text
 */
export function areOpposite(one: Directed, other: Directed, amount: string): boolean {
  return (
    isOutgoing(one) !== isOutgoing(other) || signUnder(one, amount) !== signUnder(other, amount)
  );
}

function signUnder(link: Directed, amount: string): number {
  const own = signOf(amount);
  if (own === 0 || !mayReverse(link.link_type)) return own;
  return isOutgoing(link) ? -1 : 1;
}
