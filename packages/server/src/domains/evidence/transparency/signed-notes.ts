import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@decision-ledger/embedded/atomic-file';
import type { Checkpoint } from '@decision-ledger/proof/tlog/checkpoint';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { syncFolder } from '../../../platform/secrets.js';
import {
  readSigned,
  readSignedFile,
  type SignedNote,
  signedName,
} from '../../../platform/signed-folder.js';
import type { Installation } from '../../../platform/statement.js';
import { findLedger } from '../../access/organisations/index.js';
import { RestoredLedgerError } from '../restores/index.js';
import { selectStored } from './store/checkpoints.js';
import { selectHeadSeq } from './store/leaves.js';
import { type LogId, selectLog } from './store/tlogs.js';
import { LogFault, recordsMake, requireExtension } from './tree.js';

/**
 * The last checkpoints that this machine signed, beside the database: if it is restored from an older backup, they say
 * what it has forgotten.
 */
export interface SignedNotes {
  readonly folder: string;
  /** Of all ledgers. */
  all(): Promise<SignedNote[]>;
  /** Null if this machine signed none, or the file cannot be read as one. */
  last(
    scope: Pick<Scope, 'ledgerId'>,
    log: LogId,
  ): Promise<(Checkpoint & { readonly path: string }) | null>;
  keep(scope: Pick<Scope, 'ledgerId'>, log: LogId, note: string): Promise<void>;
  /** Keeps a checkpoint under a name that is not read any more: the operator accepted what it contradicts. */
  setAside(note: Pick<SignedNote, 'path' | 'size'>): Promise<void>;
}

export function signedNotes(folder: string): SignedNotes {
  const pathOf = ({ ledgerId }: Pick<Scope, 'ledgerId'>, { chain, generation }: LogId) =>
    join(folder, signedName({ ledgerId, chain, generation }));
  return {
    folder,
    all: () => readSigned(folder),
    last: (scope, log) => readSignedFile(pathOf(scope, log)),
    async keep(scope, log, note) {
      await mkdir(folder, { recursive: true });
      await writeAtomically(pathOf(scope, log), note);
    },
    async setAside({ path, size }) {
      await rename(path, `${path}.accepted-${size}`);
      syncFolder(folder);
    },
  };
}

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
