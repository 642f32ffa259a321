import type { ComparedDecision, ComparedEvent } from './comparison.js';
import { type HashedFeatures, type HashedMention, idTokens } from './hashed-features.js';

/** A transaction that so many decisions name, or fewer, is one case. */
const MAX_NAMING = 3;
/** An identifier that so many decisions hold, or fewer, is that of one case: a ticket, a session, a shipment. */
const MAX_LINKED = 16;
/** At most so many are looked up for one event. */
const MAX_LINKS = 48;

/** How many decisions hold a token, at least; 0 if unknown. */
type HeldBy = (token: number) => number;

/**
 * Identifiers that may be links: they stand under a key in a decision that names a transaction of the event,
 * and the event lacks them.
 * @returns by their token
 */
export function possibleLinks(
  { features }: ComparedEvent,
  decisions: readonly { readonly features: HashedFeatures }[],
  heldBy: HeldBy,
): Map<number, HashedMention> {
  const links = new Map<number, HashedMention>();
  const named = namedTransactions(features, heldBy);
  if (named.size === 0) return links;
  const own = new Set(idTokens(features));
  for (const { features: held } of decisions) {
    const isNaming = held.mentions.some(
      ({ form, canonical, isEntity }) => form !== 'word' && !isEntity && named.has(canonical),
    );
    if (!isNaming) continue;
    for (const mention of held.mentions) {
      if (links.size >= MAX_LINKS) return links;
      if (isLink(mention) && !own.has(mention.canonical)) links.set(mention.canonical, mention);
    }
  }
  return links;
}

/** Whether few decisions hold a link, so that it names one case. */
export const isCase = (token: number, heldBy: HeldBy): boolean => heldBy(token) <= MAX_LINKED;

/**
 * Links, such as a ticket, through which a decision may concern an event that it does not name.
 * @returns by their token
 */
export function linksOf(
  event: ComparedEvent,
  decisions: readonly { readonly features: HashedFeatures }[],
  heldBy: HeldBy,
): Map<number, HashedMention> {
  const possible = possibleLinks(event, decisions, heldBy);
  return new Map([...possible].filter(([token]) => isCase(token, heldBy)));
}

function namedTransactions({ mentions }: HashedFeatures, heldBy: HeldBy): ReadonlySet<number> {
  return new Set(
    mentions
      .filter(({ form, isEntity }) => form !== 'word' && !isEntity)
      .filter(({ canonical }) => heldBy(canonical) <= MAX_NAMING)
      .map(({ canonical }) => canonical),
  );
}

const isLink = ({ form, isEntity, key }: HashedMention): boolean =>
  form === 'key' && !isEntity && key !== 0;

/** The links that a decision holds. */
export function linksHeld(
  links: ReadonlyMap<number, HashedMention>,
  { features }: ComparedDecision,
): HashedMention[] {
  return features.mentions.filter(
    (mention) => isLink(mention) && links.get(mention.canonical)?.kind === mention.kind,
  );
}
