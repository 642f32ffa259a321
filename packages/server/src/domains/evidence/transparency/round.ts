import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { extendStep, STEP } from './extend.js';
import { faultOf } from './fault.js';
import { type Signed, signTree } from './sign.js';
import type { SignedNotes } from './signed-notes.js';
import { type StartTools, startLogs } from './start-logs.js';
import { lockLog, selectLog, updateFault } from './store/tlogs.js';

export interface RoundTools extends StartTools {
  readonly signedNotes: SignedNotes;
}

/**
 * A round: signs a checkpoint of the decisions, chains it as `checkpoint.signed`, then signs one of the
 * activity chain, which fixes the former. A tree that is signed already is not signed again. Any number of
 * processes may do this at once, and a process that was killed leaves a state that the next round goes on
 * from.
 *
 * @throws LogFault, which is also noted: no more rounds are due until a rebuild finds the log in order;
 *   LogKeyError
 */
export async function signRound(
  tools: RoundTools,
  scope: Scope,
  signal: AbortSignal,
): Promise<void> {
  await startLogs(tools, scope);
  await noteFault(tools, scope, 'decisions', () => signDecisions(tools, scope, signal));
  await noteFault(tools, scope, 'activity', () => signActivity(tools, scope, signal));
}

/** The checkpoint and its record in the activity chain are one transaction. */
function signDecisions(tools: RoundTools, scope: Scope, signal: AbortSignal): Promise<void> {
  return extendAndSign(tools, scope, { chain: 'decisions', signal }, async (tx, signed) => {
    await tools.recordActivity(tx, scope, namingOf(signed));
  });
}

function signActivity(tools: RoundTools, scope: Scope, signal: AbortSignal): Promise<void> {
  return extendAndSign(tools, scope, { chain: 'activity', signal }, async () => undefined);
}

/** The record of the activity chain that names a checkpoint of the decisions. */
export function namingOf({ origin, size, root }: Omit<Signed, 'note'>) {
  return {
    type: 'checkpoint.signed',
    actor: 'engine',
    subject: origin,
    data: { origin, size, root: encodeBase64(root) },
  } as const;
}

/**
 * Extends the tree of a log to the end of its chain, a step in each transaction. The last one signs it; the note is
 * kept beside the database once it is stored.
 * @param onSigned part of that transaction
 */
async function extendAndSign(
  tools: RoundTools,
  scope: Scope,
  { chain, signal }: { readonly chain: ChainName; readonly signal: AbortSignal },
  onSigned: (tx: Queryable, signed: Signed) => Promise<void>,
): Promise<void> {
  for (let isWhole = false; !isWhole; ) {
    signal.throwIfAborted();
    const made = await tools.db.transaction(async (tx) => {
      const before = await lockLog(tx, scope, chain);
      const log = await extendStep(tx, scope, before);
      isWhole = log.size - before.size < STEP;
      const signed = isWhole ? await signTree(tx, tools, scope, log) : null;
      if (signed === null) return null;
      await onSigned(tx, signed);
      return { log, note: signed.note };
    });
    if (made !== null) await tools.signedNotes.keep(scope, made.log, made.note);
    if (!isWhole) await nextTurn();
  }
}

async function noteFault(
  { db }: RoundTools,
  scope: Scope,
  chain: ChainName,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    const log = await selectLog(db, scope, chain);
    if (log !== null && log.fault === null) await updateFault(db, scope, log, fault.message);
    throw fault;
  }
}
