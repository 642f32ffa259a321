import type { ComparedDecision } from './compared.js';
import { type Matches, namesTransaction } from './matches.js';
import { mayAct } from './read-only.js';

/** What a decision that only reads hands over: the transaction that it names, to those that act in its case. */
export interface HandedOver {
  /** Whether each decision only opened a case in which others act. */
  readonly gives: readonly boolean[];
  /** Whether each decision acts in such a case, and so on the transaction. */
  readonly takes: readonly boolean[];
}

/**
 * A case is handed over where all decisions that name the transaction only read, as a triage does, and
 * later ones act in the case that one of them opened, such as a ticket.
 * @param matches of the decisions, in their order, with links
 */
export function handedOver(
  decisions: readonly ComparedDecision[],
  matches: readonly Matches[],
): HandedOver {
  const names = matches.map(namesTransaction);
  const gives = decisions.map(() => false);
  const takes = decisions.map(() => false);
  const hasActed = decisions.some((decision, at) => names[at] === true && mayAct(decision));
  if (hasActed) return { gives, takes };
  decisions.forEach((decision, at) => {
    if (!mayAct(decision)) return;
    const links = (matches[at]?.ids ?? []).filter(({ form }) => form === 'linked');
    const tokens = new Set(links.map(({ token }) => token));
    if (tokens.size === 0) return;
    decisions.forEach((opener, place) => {
      if (names[place] !== true || opener.timestamp > decision.timestamp) return;
      if (!opener.features.mentions.some(({ canonical }) => tokens.has(canonical))) return;
      gives[place] = true;
      takes[at] = true;
    });
  });
  return { gives, takes };
}
