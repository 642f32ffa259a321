import type { Finding } from '@decision-ledger/proof/chain';
import type { ChainName } from './head.js';

/** What the id of a record is called, by its chain. */
const ID_NAMES = { decisions: 'decision_id', activity: 'activity_id' } as const;

/** A finding as every answer, the command line and bundles tell it; null for none. */
export function describeBrokenLink<Chain extends ChainName>(finding: Finding | null, chain: Chain) {
  if (finding === null) return null;
  const { id, ...found } = finding;
  return { ...found, [ID_NAMES[chain]]: id };
}
