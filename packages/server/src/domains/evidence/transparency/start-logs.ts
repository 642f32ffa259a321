import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { ChainName } from '../../../platform/chain/head.js';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database, Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import { sealingKey } from '../../../platform/keyring/state.js';
import type { Scope } from '../../../platform/scope.js';
import { readSettings } from '../../access/settings/index.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { makeLogPair, sealLogKey } from './log-key.js';
import { originOf } from './rules/origin.js';
import { insertLogKey } from './store/tlog-keys.js';
import { insertLog, selectLog } from './store/tlogs.js';

export interface StartTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly recordActivity: RecordActivity;
}

const CHAINS: readonly ChainName[] = ['decisions', 'activity'];
const FIRST = 1;

/** Starts both logs of a ledger, if it has none: their origins and keys are chained. */
export async function startLogs(tools: StartTools, scope: Scope): Promise<void> {
  const { db, clock, keyring, recordActivity } = tools;
  if (await hasLogs(db, scope)) return;
  await db.transaction(async (tx) => {
    const { now } = await lockHead(tx, scope, 'activity');
    // Another process may have started them before this one got the lock.
    if (await hasLogs(tx, scope)) return;
    const { name } = (await readSettings(tx, scope)).transparency;
    const ledger = uuidToId('led', scope.ledgerId);
    for (const chain of CHAINS) {
      const log = { chain, generation: FIRST };
      const origin = originOf({ name, ledger, ...log, mode: scope.mode });
      const pair = makeLogPair();
      const sealed = sealLogKey(await sealingKey(tx, keyring), scope.ledgerId, pair);
      pair.privateKey.fill(0);
      await insertLog(tx, scope, log, origin, now, clock.now());
      const key = { public_key: pair.publicKey, private_key: sealed };
      await insertLogKey(tx, scope, log, key, now);
      const verifier_key = verifierKeyText(verifierKey(origin, pair.publicKey));
      const data = { origin, verifier_key };
      await recordActivity(tx, scope, {
        type: 'log.started',
        actor: 'engine',
        subject: origin,
        data,
      });
    }
  });
}

async function hasLogs(db: Queryable, scope: Scope): Promise<boolean> {
  return (await selectLog(db, scope, 'activity')) !== null;
}
