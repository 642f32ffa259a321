import type { Features } from './features.js';
import type { Overlap } from './signals.js';

/** The information in a value, in bits: −log2 of the share of decisions that have it. */
export type Bits<Token extends string | number> = (
  kind: 'pair' | 'id' | 'amount',
  token: Token,
) => number;

/**
 * @param amount magnitude of the event's amount, canonical
 */
export function overlapOf<Token extends string | number>(
  decision: Features<Token>,
  event: Features<Token>,
  amount: Token | null,
  bits: Bits<Token>,
): Overlap {
  let agreeingBits = 0;
  let comparedBits = 0;
  for (const [key, value] of event.pairs) {
    const other = decision.pairs.get(key);
    if (other === undefined) continue;
    const weight = bits('pair', value);
    comparedBits += weight;
    if (other === value) agreeingBits += weight;
  }
  let idBits = 0;
  for (const value of event.ids.keys()) {
    if (decision.ids.has(value)) idBits += bits('id', value);
  }
  const states = amount !== null && decision.amounts.has(amount);
  // With many stated amounts, one is more often equal by chance.
  const chances = Math.log2(Math.max(1, decision.amounts.size));
  return {
    agreeingBits,
    comparedBits,
    idBits,
    contradictions: contradictions(decision, event),
    statesAmounts: decision.amounts.size > 0 && amount !== null,
    amountBits: states ? Math.max(0, bits('amount', amount) - chances) : null,
  };
}

/** Counts the keys under which both sides have identifiers and none is equal. */
function contradictions<Token extends string | number>(
  decision: Features<Token>,
  event: Features<Token>,
): number {
  const decisionKeys = new Set([...decision.ids.values()].flatMap((keys) => [...keys]));
  const agreed = new Set<Token>();
  const shared = new Set<Token>();
  for (const [value, keys] of event.ids) {
    for (const key of keys) {
      if (!decisionKeys.has(key)) continue;
      shared.add(key);
      if (decision.ids.has(value)) agreed.add(key);
    }
  }
  return [...shared].filter((key) => !agreed.has(key)).length;
}
