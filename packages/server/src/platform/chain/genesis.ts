import type { Finding } from '@decision-ledger/proof/chain';
import { GENESIS_TYPE, readEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import { uuidToId } from '../ids.js';
import type { Scope } from '../scope.js';
import type { ChainName } from './head.js';
import type { ChainState } from './read-head.js';

/** Checks that the genesis has the stored hash and belongs to this chain. */
export function checkGenesis(state: ChainState, scope: Scope, chain: ChainName): Finding | null {
  const actual = leafHash(state.genesis);
  const broken = {
    seq: 0,
    id: null,
    kind: 'content',
    expected: state.genesisHash,
    actual,
  } as const;
  if (actual !== state.genesisHash) return broken;
  const epoch = epochOf(state.genesis, scope, chain);
  if (epoch === null) return { ...broken, detail: 'genesis' };
  const other = [state.genesisEpoch, state.epoch].find((kept) => kept !== epoch);
  if (other === undefined) return null;
  return { seq: 0, id: null, kind: 'head', expected: epoch, actual: other, detail: 'epoch' };
}

/** @returns the epoch, or null if the text is not the genesis of this chain */
function epochOf(genesis: string, scope: Scope, chain: ChainName): number | null {
  try {
    const entry = readEntry(genesis);
    const isOwn =
      entry._type === GENESIS_TYPE &&
      entry.ledger === uuidToId('led', scope.ledgerId) &&
      entry.organisation === uuidToId('org', scope.orgId) &&
      entry.mode === scope.mode &&
      entry.chain === chain;
    return isOwn ? entry.epoch : null;
  } catch {
    return null;
  }
}
