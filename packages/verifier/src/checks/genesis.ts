import { FILES } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { type Entry, type GenesisEntry, readEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { Files } from './files.js';

const GENESIS = 'genesis.json';
/** In characters. Entries of the service have a few hundred. */
const MAX_ENTRY_CHARS = 16 * 1024;

/** The start of the decision chain. */
export interface Genesis {
  readonly hash: string;
  readonly epoch: number;
  readonly createdAt: string;
}

/** @returns null if there is no valid genesis, which is then a finding */
export async function checkGenesis(
  files: Files,
  manifest: RecordsManifest,
  findings: Findings,
): Promise<Genesis | null> {
  const text = await files.text(GENESIS);
  if (text === null) return null;
  try {
    if (!text.endsWith('\n')) throw new Error('it does not end with a line feed');
    const line = text.slice(0, -1);
    const entry = readGenesis(line);
    refuseForeign(entry, FILES[GENESIS].chain, manifest);
    return { hash: leafHash(line), epoch: entry.epoch, createdAt: entry.created_at };
  } catch (error) {
    const message = `${GENESIS} is not the genesis of the decision chain: ${reason(error)}.`;
    findings.fail('integrity', { code: 'genesis_wrong', file: GENESIS, message });
    return null;
  }
}

/**
 * Reads an entry. Megabytes of brackets would need a hundred times as much memory once parsed.
 * @throws Error if the text is not an entry, or is too long
 */
export function readEntryText(text: string): Entry {
  if (text.length > MAX_ENTRY_CHARS) throw new Error(`it has ${text.length} characters`);
  return readEntry(text);
}

/** @throws Error if the text is not a genesis entry */
export function readGenesis(text: string): GenesisEntry {
  const entry = readEntryText(text);
  if (!('chain' in entry)) throw new Error('it is not a genesis');
  return entry;
}

/** @throws Error if it is not the genesis of the chain of this manifest */
export function refuseForeign(
  genesis: GenesisEntry,
  chain: GenesisEntry['chain'],
  manifest: RecordsManifest,
): void {
  const isOurs =
    genesis.chain === chain &&
    genesis.ledger === manifest.ledger &&
    genesis.organisation === manifest.organisation &&
    genesis.mode === manifest.mode;
  if (!isOurs) throw new Error('it belongs to another ledger, organisation, mode or chain');
}
