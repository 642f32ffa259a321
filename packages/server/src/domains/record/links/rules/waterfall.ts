import { FEATURES, SIGNALS } from '@decision-ledger/contract/attribution-signals';
import type { LinkInDetail, LinkScore } from '@decision-ledger/contract/link';

/** The evidence of both models; that of a later one comes last. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  'attribution/v1': SIGNALS.map(({ name }) => name),
  'attribution/v2': FEATURES.map(({ name }) => name),
};

/** The evidence of a score, each step with the cumulative probability. */
export function waterfallOf({
  version,
  evidence,
}: LinkScore): NonNullable<LinkInDetail['waterfall']> {
  const order = ORDER[version] ?? [];
  const rank = (name: string) => {
    const place = order.indexOf(name);
    return place < 0 ? order.length : place;
  };
  let sum = 0;
  return Object.entries(evidence)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, log_odds]) => {
      sum += log_odds;
      return { evidence: name, log_odds, probability: 1 / (1 + Math.exp(-sum)) };
    });
}
