import type { GenesisEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { readEntryText } from './entry-text.js';
import type { Files } from './files.js';
import type { Manifest } from './manifest.js';

const GENESIS = 'genesis.json';

/** What the chain of decisions starts from. */
export interface Genesis {
  readonly hash: string;
  readonly epoch: number;
  readonly createdAt: string;
}

/** The genesis of a bundle without entries. Null where there is none: there is a finding then. */
export async function checkGenesis(
  files: Files,
  manifest: Manifest,
  findings: Findings,
): Promise<Genesis | null> {
  const text = await files.text(GENESIS);
  if (text === null) return null;
  try {
    if (!text.endsWith('\n')) throw new Error('it does not end with a line feed');
    const line = text.slice(0, -1);
    const entry = readGenesis(line);
    refuseForeign(entry, 'decisions', manifest);
    return { hash: leafHash(line), epoch: entry.epoch, createdAt: entry.created_at };
  } catch (error) {
    const message = `${GENESIS} is not the genesis of the chain of decisions: ${reason(error)}.`;
    findings.fail('integrity', { code: 'genesis_wrong', file: GENESIS, message });
    return null;
  }
}

/** @throws Error when the text is no genesis entry */
export function readGenesis(text: string): GenesisEntry {
  const entry = readEntryText(text);
  if (!('chain' in entry)) throw new Error('it is no genesis');
  return entry;
}

/** @throws Error when it is not the one that the manifest speaks of */
export function refuseForeign(
  genesis: GenesisEntry,
  chain: GenesisEntry['chain'],
  manifest: Manifest,
): void {
  const isOurs =
    genesis.chain === chain &&
    genesis.ledger === manifest.ledger &&
    genesis.organisation === manifest.organisation &&
    genesis.mode === manifest.mode;
  if (!isOurs) throw new Error('it is of another ledger, organisation, mode or chain');
}
