import type { Overlap } from './evidence.js';
import type { Features } from './features.js';

/** How much a value says: −log2 of the share of decisions that hold it. */
export type Bits = (kind: 'pair' | 'id' | 'amount', text: string) => number;

/**
 * @param amount magnitude of the event's amount, canonical
 */
export function overlapOf(
  decision: Features,
  event: Features,
  amount: string | null,
  bits: Bits,
): Overlap {
  let agreeingBits = 0;
  let comparedBits = 0;
  for (const [key, value] of event.pairs) {
    const other = decision.pairs.get(key);
    if (other === undefined) continue;
    const weight = bits('pair', `${key}=${value}`);
    comparedBits += weight;
    if (other === value) agreeingBits += weight;
  }
  let idBits = 0;
  for (const value of event.ids.keys()) {
    if (decision.ids.has(value)) idBits += bits('id', value);
  }
  const states = amount !== null && decision.amounts.has(amount);
  // Among many stated amounts one is sooner equal by chance.
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

/** Keys under which both sides hold identifiers, none of them the same. */
function contradictions(decision: Features, event: Features): number {
  const decisionKeys = new Set([...decision.ids.values()].flatMap((keys) => [...keys]));
  const agreed = new Set<string>();
  const asked = new Set<string>();
  for (const [value, keys] of event.ids) {
    for (const key of keys) {
      if (!decisionKeys.has(key)) continue;
      asked.add(key);
      if (decision.ids.has(value)) agreed.add(key);
    }
  }
  return [...asked].filter((key) => !agreed.has(key)).length;
}
