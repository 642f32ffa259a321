import { SIGNALS } from '@decision-ledger/contract/attribution-signals';
import type { LinkInDetail, LinkScore } from '@decision-ledger/contract/link';

/** Signals of a later model come last. */
const ORDER: readonly string[] = SIGNALS.map(({ name }) => name);

/** The evidence of a score, each step with the cumulative probability. */
export function waterfallOf({ evidence }: LinkScore): NonNullable<LinkInDetail['waterfall']> {
  const rank = (name: string) => {
    const place = ORDER.indexOf(name);
    return place < 0 ? ORDER.length : place;
  };
  let sum = 0;
  return Object.entries(evidence)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, log_odds]) => {
      sum += log_odds;
      return { evidence: name, log_odds, probability: 1 / (1 + Math.exp(-sum)) };
    });
}
