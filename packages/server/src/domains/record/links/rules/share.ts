import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { LinkInDetail, LinkScore } from '@decision-ledger/contract/link';
import { Big } from 'big.js';

interface Held {
  readonly correlation_strength: number;
}

/** The share of an event that links leave: 0 to 1, exact in the decimal digits of the strengths. */
export function shareLeft(links: readonly Held[]): number {
  const held = links.reduce((sum, link) => sum.plus(link.correlation_strength), new Big(0));
  return held.gte(1) ? 0 : new Big(1).minus(held).toNumber();
}

/**
 * The strength of a confirmed link: the wanted one, or all that is left.
 * @throws LedgerError `conflict` if nothing is left, or less than is wanted
 */
export function confirmedStrength(left: number, wanted: number | undefined): number {
  if (left === 0) {
    throw new LedgerError(
      'conflict',
      'confirmed links already claim the whole event: delete one of them first',
    );
  }
  if (wanted !== undefined && wanted > left) {
    throw new LedgerError(
      'conflict',
      `strength must be at most ${left}: confirmed links claim the rest of the event`,
    );
  }
  return wanted ?? left;
}

/** The suggestions that no longer fit beside what people took, the strongest being kept first. */
export function displacedSuggestions<Link extends Held>(
  suggestions: readonly Link[],
  left: number,
): Link[] {
  let free = new Big(left);
  return [...suggestions]
    .sort((a, b) => b.correlation_strength - a.correlation_strength)
    .filter(({ correlation_strength }) => {
      if (free.gt(0) && free.gte(correlation_strength)) {
        free = free.minus(correlation_strength);
        return false;
      }
      return true;
    });
}

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
