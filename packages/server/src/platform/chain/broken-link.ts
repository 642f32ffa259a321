import type { Finding } from '@decision-ledger/proof/chain';
import type { ChainName } from './head.js';

/** The name of the record id in each chain. */
const ID_NAMES = { decisions: 'decision_id', activity: 'activity_id' } as const;

/** A finding as shown in responses, on the command line and in bundles; null if there is none. */
export function describeBrokenLink<Chain extends ChainName>(finding: Finding | null, chain: Chain) {
  if (finding === null) return null;
  const { id, ...found } = finding;
  return { ...found, [ID_NAMES[chain]]: id };
}
