import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import type { LinkInDetail, LinkScore } from '@decision-ledger/contract/link';

const ORDER: ReadonlyMap<string, number> = new Map(
  FEATURES.map(({ name }, place) => [name, place]),
);

/** The evidence of a score, each step with the cumulative probability. */
export function waterfallOf({ evidence }: LinkScore): NonNullable<LinkInDetail['waterfall']> {
  const rank = (name: string) => ORDER.get(name) ?? ORDER.size;
  let sum = 0;
  return Object.entries(evidence)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, log_odds]) => {
      sum += log_odds;
      return { evidence: name, log_odds, probability: 1 / (1 + Math.exp(-sum)) };
    });
}
