import type { ChainName } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { SignedNote } from '../../../platform/signed-folder.js';
import type { Installation } from '../../../platform/statement.js';
import { findLedger } from '../../access/organisations/index.js';
import { RestoredLedgerError } from '../restores/index.js';
import { recordsMake, requireExtension } from './extension.js';
import { LogFault } from './fault.js';
import type { SignedNotes } from './signed-notes.js';
import { selectStored } from './store/checkpoints.js';
import { selectHeadSeq } from './store/leaves.js';
import { selectLog } from './store/tlogs.js';

/** A checkpoint that this machine signed, of a history that the database does not have. */
export interface Forgotten {
  readonly note: SignedNote;
  /** Records of the chain in the database: fewer than were signed, or another history. */
  readonly has: number;
}

export interface ForgottenTools {
  readonly db: Database;
  readonly installation: Installation;
}

/**
 * The checkpoints that this machine signed and whose records the database lacks.
 * @param ledgerId only of this ledger (UUID)
 */
export async function findForgotten(
  { db, installation }: ForgottenTools,
  signedNotes: SignedNotes,
  ledgerId?: string,
): Promise<Forgotten[]> {
  const notes = (await signedNotes.all()).filter(
    (note) => ledgerId === undefined || note.ledgerId === ledgerId,
  );
  const stored = await selectStored(installation, notes);
  const forgotten: Forgotten[] = [];
  for (const [place, note] of notes.entries()) {
    if (stored.has(place)) continue;
    const ledger = await findLedger(db, note.ledgerId);
    const has = ledger === null ? 0 : await selectHeadSeq(ledger, note.chain);
    const isThere = ledger !== null && has >= note.size && (await hasTree(ledger, note));
    if (!isThere) forgotten.push({ note, has });
  }
  return forgotten;
}

/**
 * Refuses a database that lacks what this machine signed: it is older than its folder, or has another history.
 * @throws RestoredLedgerError
 */
export async function requireRemembered(
  tools: ForgottenTools,
  signedNotes: SignedNotes,
): Promise<void> {
  const [first] = await findForgotten(tools, signedNotes);
  if (first === undefined) return;
  const ledger = uuidToId('led', first.note.ledgerId);
  throw new RestoredLedgerError(
    `${forgottenText(first)}. Nothing was changed: put the right database back, restore a later backup, or accept the ` +
      `loss with \`decision-ledger restored --ledger ${ledger} --accept-loss REASON\``,
  );
}

/** One sentence, without a full stop. */
export function forgottenText({ note, has }: Forgotten): string {
  const { ledgerId, chain, size, path } = note;
  const signed = `this machine signed a checkpoint of ${size} (${path})`;
  return has < size
    ? `${uuidToId('led', ledgerId)}: the chain of ${chain} has ${has} records, and ${signed}`
    : `${uuidToId('led', ledgerId)}: the chain of ${chain} has ${has} records, but ${signed} with another root: ` +
        'it has another history';
}

async function hasTree(ledger: LedgerReader, note: SignedNote): Promise<boolean> {
  const tree = { size: note.size, root: Buffer.from(note.root) };
  const log = await selectLog(ledger, note.chain);
  if (log === null || log.generation !== note.generation) {
    return recordsMake(ledger, emptyLog(note.chain), tree);
  }
  if (log.size < note.size) return recordsMake(ledger, log, tree);
  try {
    await requireExtension(ledger, log, tree);
    return true;
  } catch (error) {
    if (error instanceof LogFault) return false;
    throw error;
  }
}

function emptyLog(chain: ChainName) {
  return { chain, size: 0, frontier: Buffer.alloc(0) };
}
