import { FILES } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { type Entry, type GenesisEntry, readEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { Files } from './files.js';

const GENESIS = 'genesis.json';
/** Characters. Entries of the service have some hundred. */
const LONGEST_ENTRY = 16 * 1024;

/** The start of the chain of decisions. */
export interface Genesis {
  readonly hash: string;
  readonly epoch: number;
  readonly createdAt: string;
}

/** @returns null without a valid genesis, which is a finding then */
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
    const message = `${GENESIS} is not the genesis of the chain of decisions: ${reason(error)}.`;
    findings.fail('integrity', { code: 'genesis_wrong', file: GENESIS, message });
    return null;
  }
}

/**
 * Reads an entry. A line of megabytes of brackets would take a hundred times its size once parsed.
 * @throws Error when the text is no entry, or longer than any
 */
export function readEntryText(text: string): Entry {
  if (text.length > LONGEST_ENTRY) throw new Error(`it has ${text.length} characters`);
  return readEntry(text);
}

/** @throws Error when the text is no genesis entry */
export function readGenesis(text: string): GenesisEntry {
  const entry = readEntryText(text);
  if (!('chain' in entry)) throw new Error('it is no genesis');
  return entry;
}

/** @throws Error when it is not the genesis of the chain of this manifest */
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
  if (!isOurs) throw new Error('it is of another ledger, organisation, mode or chain');
}
