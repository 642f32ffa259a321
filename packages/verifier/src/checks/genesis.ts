import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { type Entry, type GenesisEntry, readEntry } from '@decision-ledger/proof/entry';

/** In characters. Entries of the service have a few hundred. */
const MAX_ENTRY_CHARS = 16 * 1024;

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
