import type { Mode } from '@decision-ledger/contract/permissions';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import { sealingKey } from '../../../platform/keyring/state.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import { makeLogPair, sealLogKey } from './log-key.js';
import { insertLogKey } from './store/tlog-keys.js';
import { CHAINS, insertLog, selectLog } from './store/tlogs.js';

export interface StartTools {
  readonly keyring: Keyring;
}

const FIRST = 1;

/** Starts both logs of a ledger, if it has none: their origins and keys are chained. */
export async function startLogs(own: Ledger, tools: StartTools): Promise<void> {
  const { keyring } = tools;
  if (await hasLogs(own)) return;
  await own.write(async (tx) => {
    const { now } = await lockHead(tx, 'activity');
    // Another process may have started them before this one got the lock.
    if (await hasLogs(tx)) return;
    const { name } = (await readSettings(tx)).transparency;
    const ledger = uuidToId('led', own.ledgerId);
    for (const chain of CHAINS) {
      const log = { chain, generation: FIRST };
      const origin = originOf({ name, ledger, ...log, mode: own.scope.mode });
      const pair = makeLogPair();
      const sealed = sealLogKey(await sealingKey(tx.connection, keyring), own.ledgerId, pair);
      pair.privateKey.fill(0);
      await insertLog(tx, log, origin, now, tx.clock.now());
      const key = { public_key: pair.publicKey, private_key: sealed };
      await insertLogKey(tx, log, key, now);
      const verifier_key = verifierKeyText(verifierKey(origin, pair.publicKey));
      const data = { origin, verifier_key };
      await recordActivity(tx, {
        type: 'log.started',
        actor: 'engine',
        subject: origin,
        data,
      });
    }
  });
}

async function hasLogs(ledger: LedgerReader): Promise<boolean> {
  return (await selectLog(ledger, 'activity')) !== null;
}

/** What the origin of a log is made of. */
export interface OriginParts {
  /** The setting `transparency.name`. */
  readonly name: string;
  /** Public id of the ledger. */
  readonly ledger: string;
  readonly chain: string;
  /** From 1. */
  readonly generation: number;
  readonly mode: Mode;
}

/**
 * The origin of a log, which also names its key. The first generation is not mentioned; that of a test
 * ledger ends in `/test`.
 */
function originOf({ name, ledger, chain, generation, mode }: OriginParts): string {
  const parts = [name, ledger, chain];
  if (generation > 1) parts.push(String(generation));
  if (mode === 'test') parts.push('test');
  return parts.join('/');
}
