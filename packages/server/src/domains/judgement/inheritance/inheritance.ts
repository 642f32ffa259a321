import { inheritedCauses, type PaymentLink, sourceAt } from '@decision-ledger/proof/inheritance';
import {
  type Inheritance,
  type InheritedLink,
  isHuman,
  isInherited,
  type ReadLink,
} from '../../record/links/index.js';
import { type Classified, reversalOf } from '../../record/money-signs/index.js';

/** A movement with what people and the engine say of its cause. */
export interface Caused {
  /** UUID of the report that leads it. */
  readonly lead: string;
  /** The links of its reports that stand. */
  readonly links: readonly ReadLink[];
}

/** A movement that reverses others. */
export interface Reversal extends Caused {
  /** What it reverses, and what that reverses, the nearest first. */
  readonly reversed: readonly [] | readonly [Caused] | readonly [Caused, Caused];
  /** Link type and direction that its report says by itself. */
  readonly own: Classified;
  /** UUIDs of the decisions of which a person said that they did not cause it. */
  readonly refused: ReadonlySet<string>;
  /** Whether a person said that no recorded decision caused it. */
  readonly isDenied: boolean;
}

/**
 * What a reversal takes from its payment. What people said of it wins: with a link that they made, or after "no recorded
 * decision", nothing is taken. So does a matched suggestion of a decision that the payment knows nothing of.
 */
export function inheritanceOf(reversal: Reversal): Inheritance {
  const { lead, links, isDenied, refused, own } = reversal;
  const nothing = { eventId: lead, payment: '', inherited: [], links };
  const source = sourceOf(reversal);
  if (source === null || isDenied || links.some(isHuman)) return nothing;
  const given = givenBy(source.payment);
  const known = new Set(given.map(({ decision_id }) => decision_id));
  const isOwn = (link: ReadLink) => isMatched(link) && !known.has(link.decision_id);
  if (links.some(isOwn)) return nothing;
  const causes = inheritedCauses(given.map(toPaymentLink), refused);
  const inherited = causes.map(({ decision, strength, label }): InheritedLink => {
    const typed = strongest(given.filter(({ decision_id }) => decision_id === decision));
    const type = reversalOf(typed, own, source.times);
    return { decision_id: decision, strength, label, ...type };
  });
  return { ...nothing, payment: source.payment.lead, inherited };
}

/** The movement whose links a reversal takes, and how often it reverses that; null for none. */
function sourceOf({ lead, reversed }: Reversal) {
  const known = reversed.map((one) => ({ lead: one.lead, hasCause: one.links.some(isCause) }));
  const at = sourceAt(lead, known);
  const payment = at === null ? undefined : reversed[at];
  if (payment === undefined) return null;
  return { payment, times: at === 1 ? 2 : 1 } as const;
}

/** Whether a refund passes on this link instead of those of its payment. */
const isCause = (link: ReadLink): boolean => isHuman(link) || isMatched(link);

/** What a payment passes on: its own links, never those that it takes itself. */
const givenBy = ({ links }: Caused): readonly ReadLink[] =>
  links.filter((link) => !isInherited(link));

const isMatched = ({ status, label }: ReadLink): boolean =>
  status === 'ML_SUGGESTED' && label === 'matched';

function toPaymentLink(link: ReadLink): PaymentLink {
  const { decision_id, correlation_strength, label, status } = link;
  const certainty = label ?? (status === 'ML_SUGGESTED' ? 'guessed' : 'confirmed');
  return { decision: decision_id, strength: correlation_strength, label: certainty };
}

/** Of the links of one decision, whichever was made first. */
function strongest(links: readonly ReadLink[]): ReadLink {
  const [first, ...others] = links;
  if (first === undefined) throw new Error('a cause without a link');
  return others.reduce((best, link) => (precedes(link, best) ? link : best), first);
}

function precedes(one: ReadLink, other: ReadLink): boolean {
  const more = one.correlation_strength - other.correlation_strength;
  if (more !== 0) return more > 0;
  if (one.link_type !== other.link_type) return one.link_type < other.link_type;
  return !one.reversal && other.reversal;
}
