import { type FittedAmount, STATED_AMOUNT } from './amount-fit.js';
import type { ComparedDecision } from './compared.js';
import { readOnly } from './read-only.js';
import type { SharedValues } from './shared-values.js';

/** A number that so many decisions hold, or fewer, is that of one document: an offer, a quote, a request. */
const MAX_CITING = 3;
const NOTHING: FittedAmount = { fit: 'none', chances: 1 };

/**
 * An amount counts for the decision that acts on it: one that names the transaction of the event, and cites
 * the document in which an earlier decision stated the amount before there was a transaction. Who accepts an
 * offer moves the money, not who made it.
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
  const inTime = decisions
    .map((decision, at) => ({ decision, at }))
    .sort((a, b) => a.decision.timestamp - b.decision.timestamp || a.at - b.at);
  const offers = inTime
    .filter(({ at }) => surenessOf(fits[at]) > 0)
    .sort((a, b) => surenessOf(fits[b.at]) - surenessOf(fits[a.at]));
  for (const offer of offers) {
    const documents = documentsOf(shared[offer.at], heldBy);
    if (documents.size === 0) continue;
    const acting = inTime.find(
      ({ decision, at }) =>
        fits[at]?.fit === 'none' &&
        own[at]?.fit === 'none' &&
        decision.timestamp >= offer.decision.timestamp &&
        actsOnTransaction(decision, shared[at]) &&
        decision.features.mentions.some(({ canonical }) => documents.has(canonical)),
    );
    if (acting === undefined) continue;
    own[acting.at] = fits[offer.at] ?? NOTHING;
    own[offer.at] = NOTHING;
  }
  return own;
}

/** The amount of the event comes before another one. */
function surenessOf(fitted: FittedAmount | undefined): number {
  const stated = STATED_AMOUNT[fitted?.fit ?? 'none'];
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

const actsOnTransaction = (decision: ComparedDecision, shared?: SharedValues): boolean =>
  !decision.saysItFailed &&
  readOnly(decision.actionType) === 0 &&
  (shared?.matches.ids ?? []).some(({ form, isEntity }) => form !== 'linked' && !isEntity);
