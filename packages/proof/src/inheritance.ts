/** How certain the cause of money is. */
export type CauseLabel = 'confirmed' | 'matched' | 'guessed';

/** A link of a payment, as far as reversals of the payment take it. */
export interface PaymentLink {
  /** Id of the decision. */
  readonly decision: string;
  /** The share of the payment that it claims: 0 to 1. */
  readonly strength: number;
  readonly label: CauseLabel;
}

/** What a reversal takes of all links between its payment and one decision. */
export type InheritedCause = PaymentLink;

/** The more certain, the earlier. */
const LABELS: readonly CauseLabel[] = ['confirmed', 'matched', 'guessed'];

/** Digits of a sum of strengths: those of a share. */
const DIGITS = 12;

/**
 * What a reversal without a cause of its own takes from its payment: of each decision, all that its links claim, as certain as the
 * least certain of them. Refused decisions are left out; the claims of the others stay as they are.
 *
 * @param links the links of the payment that stand
 * @param refused ids of the decisions of which a person said that they did not cause the reversal
 * @returns in the order of the decisions
 * @example
 * ```ts
 * import { inheritedCauses } from '@decision-ledger/proof/inheritance';
 *
 * const links = [
 *   { decision: 'dec_1', strength: 0.5, label: 'confirmed' },
 *   { decision: 'dec_2', strength: 0.5, label: 'matched' },
 * ] as const;
 * inheritedCauses(links, new Set(['dec_2']));
 * // => [{ decision: 'dec_1', strength: 0.5, label: 'confirmed' }]
 * ```
 */
export function inheritedCauses(
  links: readonly PaymentLink[],
  refused: ReadonlySet<string>,
): InheritedCause[] {
  const causes = new Map<string, InheritedCause>();
  for (const { decision, strength, label } of links) {
    if (refused.has(decision) || strength <= 0) continue;
    const known = causes.get(decision);
    causes.set(decision, {
      decision,
      strength: known === undefined ? strength : sumOf(known.strength, strength),
      label: known === undefined ? label : lessCertain(known.label, label),
    });
  }
  return [...causes.values()].sort((one, other) => (one.decision < other.decision ? -1 : 1));
}

/** A movement that another one reverses. */
export interface ReversedMovement {
  /** Id of the report that leads it. */
  readonly lead: string;
  /** Whether a link of it was made or confirmed by a person, or is a matched suggestion. */
  readonly hasCause: boolean;
}

/**
 * Which movement a reversal takes its links from: what it reverses, or what that reverses, if that has no cause of its own.
 *
 * @param lead id of the report that leads the reversal
 * @param reversed what it reverses, and what that reverses, as far as their reports mean exactly one movement
 * @returns the place among those; null if it reverses nothing
 * @example
 * ```ts
 * import { sourceAt } from '@decision-ledger/proof/inheritance';
 *
 * const refund = { lead: 'evt_2', hasCause: false };
 * const payment = { lead: 'evt_1', hasCause: true };
 * sourceAt('evt_3', [refund, payment]); // => 1
 * sourceAt('evt_3', [{ ...refund, hasCause: true }, payment]); // => 0
 * ```
 */
export function sourceAt(lead: string, [first, second]: readonly ReversedMovement[]): 0 | 1 | null {
  if (first === undefined || first.lead === lead) return null;
  if (second === undefined || second.lead === lead || second.lead === first.lead) return 0;
  return first.hasCause ? 0 : 1;
}

/** At most the whole. Decimals are added as decimals, so that the order does not matter. */
function sumOf(one: number, other: number): number {
  return Math.min(1, Number((one + other).toFixed(DIGITS)));
}

function lessCertain(one: CauseLabel, other: CauseLabel): CauseLabel {
  return LABELS.indexOf(one) > LABELS.indexOf(other) ? one : other;
}
