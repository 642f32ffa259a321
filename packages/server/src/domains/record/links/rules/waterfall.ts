import type { LinkInDetail, LinkScore } from '@decision-ledger/contract/link';

/** From general to specific; evidence that is not listed comes last. */
const ORDER = [
  'base',
  'temporal',
  'crowd',
  'metadata',
  'agent_pattern',
  'amount',
  'identifiers',
  'stated_amount',
  'contradiction',
  'failure',
];

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
