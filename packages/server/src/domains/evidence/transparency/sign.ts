import type { DecisionReceipt } from '@decision-ledger/contract/decision';
import { signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { signReceipt } from '@decision-ledger/proof/tlog/receipt';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { missingText, selectRestored } from '../restores/index.js';
import { type LogSigner, openLogSigner } from './log-key.js';
import { openFrontier } from './rules/tiles.js';
import type { SignedNotes } from './signed-notes.js';
import { type StartTools, startLogs } from './start-logs.js';
import { insertCheckpoint, selectLastCheckpoint } from './store/checkpoints.js';
import { selectHeadSeq } from './store/leaves.js';
import { selectLogKey } from './store/tlog-keys.js';
import { type LogRow, selectLog } from './store/tlogs.js';
import { LogFault, requireExtension } from './tree.js';

export interface SignTools {
  readonly keyring: Keyring;
  readonly signedNotes: SignedNotes;
}

/** A new checkpoint: the three lines of its text, and the signed note. */
export interface Signed {
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
  readonly note: string;
}

/**
 * Signs the tree of a locked log and stores the checkpoint. Nobody sees it before the transaction commits.
 * @returns null if the last checkpoint has the same tree
 * @throws LogFault if the tree does not go on from that of the last checkpoint; LogKeyError
 */
export async function signTree(
  tx: LedgerWriter,
  { keyring, signedNotes }: SignTools,
  log: LogRow,
): Promise<Signed | null> {
  const last = await requireSound(tx, { signedNotes }, log);
  if (last?.size === log.size) return null;
  const root = Buffer.from(openFrontier(log.size, log.frontier).root());
  const stored = await selectLogKey(tx, log);
  const { key, sign } = openLogSigner(keyring, tx.ledgerId, log.origin, stored);
  const { origin, size } = log;
  const note = signCheckpoint({ origin, size, root }, key, sign);
  await insertCheckpoint(tx, log, { size, root, note });
  return { origin, size, root, note };
}

/**
 * Refuses a locked log that contradicts its records, its last checkpoint or what this machine signed.
 * @returns the last checkpoint, if there is one
 * @throws LogFault
 */
export async function requireSound(
  tx: LedgerReader,
  { signedNotes }: Pick<SignTools, 'signedNotes'>,
  log: LogRow,
): Promise<Awaited<ReturnType<typeof selectLastCheckpoint>>> {
  if (log.fault !== null)
    throw new LogFault(`no checkpoint of ${log.origin} is signed: ${log.fault}`);
  await requireWhole(tx);
  const last = await selectLastCheckpoint(tx, log);
  await requireRecords(tx, log);
  if (last !== null) await requireExtension(tx, log, last);
  await requireRemembered(tx, log, await signedNotes.last(tx, log));
  return last;
}

/**
 * A database that was restored from an older backup does not know what was signed after the backup. To sign another
 * tree would be a fork.
 */
async function requireRemembered(
  tx: LedgerReader,
  log: LogRow,
  signed: Awaited<ReturnType<SignedNotes['last']>>,
): Promise<void> {
  if (signed === null) return;
  const lost =
    `the database lacks the checkpoint of ${signed.size} leaves of ${log.origin} that this machine signed ` +
    `(${signed.path}): it was restored from an older backup, and signing now would fork the log`;
  if (signed.size > log.size) throw new LogFault(lost);
  try {
    await requireExtension(tx, log, { ...signed, root: Buffer.from(signed.root) });
  } catch (error) {
    if (error instanceof LogFault) throw new LogFault(lost, { cause: error });
    throw error;
  }
}

/**
 * Refuses a chain that was cut: it has fewer records than its tree has leaves.
 * @throws LogFault
 */
export async function requireRecords(tx: LedgerReader, { chain, origin, size }: LogRow) {
  const head = await selectHeadSeq(tx, chain);
  if (head >= size) return;
  throw new LogFault(`the chain of ${chain} has ${head} records, and ${origin} ${size} leaves`);
}

/**
 * Refuses the logs of a ledger that was restored without records that are known to have existed: checkpoints may cover
 * them, and signing now would fork the log. The operator may accept that.
 * @throws LogFault
 */
export async function requireWhole(ledger: LedgerReader): Promise<void> {
  const loss = await selectRestored(ledger);
  if (loss === null || loss.acceptsFork) return;
  throw new LogFault(
    `the ledger was restored without ${missingText(loss)}: checkpoints may have been signed that cover the ` +
      'missing records, and signing now would fork the log',
  );
}

/** Ledgers whose keys are kept in memory: the key of a log never changes. */
const MAX_SIGNERS = 1000;

/** Signs the receipt of a decision that was recorded. */
export type SignReceipt = (scope: Scope, receipt: DecisionReceipt) => Promise<string>;

/**
 * Signs receipts with the key of the log of the decisions. The first receipt of a ledger starts its logs.
 * The function rejects with LogKeyError.
 */
export function receiptSigner(db: Database, tools: StartTools): SignReceipt {
  const signers = new Map<string, LogSigner>();
  return async (scope, { seq, hash, created_at }) => {
    let signer = signers.get(scope.ledgerId);
    if (signer === undefined) {
      signer = await openSigner(db.ledger(scope), tools);
      for (const oldest of signers.keys()) {
        if (signers.size < MAX_SIGNERS) break;
        signers.delete(oldest);
      }
      signers.set(scope.ledgerId, signer);
    }
    const ledger = uuidToId('led', scope.ledgerId);
    return signReceipt({ ledger, seq, hash, created_at }, signer.key, signer.sign);
  };
}

async function openSigner(ledger: Ledger, tools: StartTools): Promise<LogSigner> {
  const { keyring } = tools;
  await startLogs(ledger, tools);
  const log = await selectLog(ledger, 'decisions');
  if (log === null) throw new Error(`ledger ${ledger.ledgerId} has no log of its decisions`);
  const stored = await selectLogKey(ledger, log);
  return openLogSigner(keyring, ledger.ledgerId, log.origin, stored);
}
