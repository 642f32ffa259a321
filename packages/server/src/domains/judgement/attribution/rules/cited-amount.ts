import { type FittedAmount, STATED_AMOUNT } from './amount-fit.js';
import type { ComparedDecision } from './compared.js';
import { namesTransaction } from './matches.js';
import { mayAct, readOnly } from './read-only.js';
import type { SharedValues } from './shared-values.js';

/** A number that so many decisions hold, or fewer, is that of one document: an offer, a quote, a request. */
const MAX_CITING = 3;
const NOTHING: FittedAmount = { fit: 'none', chances: 1 };

/**
 * An amount counts for the decision that acts on it. Who accepts an offer moves the money, not who made it, and
 * who looked an order up only says what it costs.
 * @param heldBy how many decisions hold a token
 * @returns how the amounts fit, in the order of the decisions
 */
export function citedAmounts(
  decisions: readonly ComparedDecision[],
  shared: readonly SharedValues[],
  fits: readonly FittedAmount[],
  heldBy: (token: number) => number,
): FittedAmount[] {
  const own = [...fits];
  const steps = decisions
    .map((decision, at): Step => ({ decision, at, shared: shared[at], fit: fits[at] ?? NOTHING }))
    .sort((a, b) => a.decision.timestamp - b.decision.timestamp || a.at - b.at);
  const offers = steps
    .filter(({ fit }) => surenessOf(fit) > 0)
    .sort((a, b) => surenessOf(b.fit) - surenessOf(a.fit));
  const only = onlyActing(steps);
  for (const offer of offers) {
    const acting = isDescription(offer) ? only : citing(offer, steps, own, heldBy);
    if (acting === undefined || !mayTake(acting, offer)) continue;
    own[acting.at] = offer.fit;
    own[offer.at] = NOTHING;
  }
  return own;
}

interface Step {
  readonly decision: ComparedDecision;
  readonly at: number;
  readonly shared: SharedValues | undefined;
  readonly fit: FittedAmount;
}

const mayTake = ({ decision, fit }: Step, offer: Step): boolean =>
  fit.fit === 'none' && decision.timestamp >= offer.decision.timestamp;

/** Whether a decision that only reads states the amount of a transaction. */
const isDescription = ({ decision, shared, fit }: Step): boolean =>
  readOnly(decision.actionType) === 1 && namesOne(shared) && STATED_AMOUNT[fit.fit] === 'equal';

/** The decision that acts on the transaction, if no other one does. */
function onlyActing(steps: readonly Step[]): Step | undefined {
  const [only, ...others] = steps.filter(
    ({ decision, shared }) => mayAct(decision) && namesOne(shared),
  );
  return others.length === 0 ? only : undefined;
}

/**
 * The first decision that names the transaction of the event, and cites the document in which an earlier one
 * stated the amount before there was a transaction.
 */
function citing(
  offer: Step,
  steps: readonly Step[],
  own: readonly FittedAmount[],
  heldBy: (token: number) => number,
): Step | undefined {
  const documents = documentsOf(offer.shared, heldBy);
  if (documents.size === 0) return undefined;
  return steps.find(
    (step) =>
      mayTake(step, offer) &&
      own[step.at]?.fit === 'none' &&
      !step.decision.saysItFailed &&
      readOnly(step.decision.actionType) === 0 &&
      namesOne(step.shared) &&
      step.decision.features.mentions.some(({ canonical }) => documents.has(canonical)),
  );
}

/** The amount of the event comes before another one. */
function surenessOf({ fit }: FittedAmount): number {
  const stated = STATED_AMOUNT[fit];
  return stated === 'equal' ? 2 : stated === 'other' ? 1 : 0;
}

/** The tokens of the documents of a decision that concerns the event only through them. */
function documentsOf(
  shared: SharedValues | undefined,
  heldBy: (token: number) => number,
): ReadonlySet<number> {
  const ids = shared?.matches.ids ?? [];
  const linked = ids.filter(({ form, token }) => form === 'linked' && heldBy(token) <= MAX_CITING);
  return new Set(linked.map(({ token }) => token));
}

const namesOne = (shared: SharedValues | undefined): boolean =>
  shared !== undefined && namesTransaction(shared.matches);
