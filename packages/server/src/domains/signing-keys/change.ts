import { lockHead } from '../../platform/chain/lock-head.js';
import type { Database, Transaction } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import type { RecordActivity } from '../activity/index.js';
import { makePair } from './pair.js';
import { keySealer } from './seal.js';
import { insertKey } from './store/insert-key.js';
import { retireKey } from './store/retire-key.js';
import { type CurrentKeyRow, selectCurrentKey } from './store/select-current-key.js';
import { selectLedgers } from './store/select-ledgers.js';

export interface SigningKeyTools {
  readonly db: Database;
  readonly masterKey: Buffer;
  readonly recordActivity: RecordActivity;
}

type Organisation = Pick<Scope, 'orgId'>;

/** The key that signs now, made if there is none. */
export async function ensureKey(
  tools: SigningKeyTools,
  org: Organisation,
  actor: string,
): Promise<CurrentKeyRow> {
  const current = await selectCurrentKey(tools.db, org);
  if (current !== null) return current;
  const make = await newKey(tools, org);
  return tools.db.transaction(async (tx) => {
    const { ledgers, now } = await lockLedgers(tx, org);
    const made = await selectCurrentKey(tx, org);
    return made ?? (await make(tx, ledgers, now, actor, null));
  });
}

/** Makes another key the one that signs. Bundles of the former stay verifiable with its public half. */
export async function rotateKey(
  tools: SigningKeyTools,
  org: Organisation,
  actor: string,
): Promise<CurrentKeyRow> {
  const make = await newKey(tools, org);
  return tools.db.transaction(async (tx) => {
    const { ledgers, now } = await lockLedgers(tx, org);
    return make(tx, ledgers, now, actor, await retireKey(tx, org, now));
  });
}

/** Locks in the order that all take who lock both. */
async function lockLedgers(tx: Transaction, org: Organisation) {
  const ledgers = await selectLedgers(tx, org);
  let now = 0;
  for (const ledger of ledgers) now = Math.max(now, (await lockHead(tx, ledger, 'activity')).now);
  return { ledgers, now };
}

/** A pair takes a while to find: it is made before anything is locked. */
async function newKey({ masterKey, recordActivity }: SigningKeyTools, org: Organisation) {
  const { fingerprint, publicKey, privateKey } = await makePair();
  const sealed = keySealer(masterKey, org.orgId).seal(privateKey, fingerprint);
  privateKey.fill(0);
  return async (
    tx: Transaction,
    ledgers: readonly Scope[],
    now: number,
    actor: string,
    supersedes: string | null,
  ): Promise<CurrentKeyRow> => {
    const key = { fingerprint, public_key: publicKey, private_key: sealed, created_at: now };
    if (!(await insertKey(tx, org, key))) throw new Error('two keys cannot sign at a time');
    const type = supersedes === null ? 'signing_key.created' : 'signing_key.rotated';
    const data = { public_key: publicKey, ...(supersedes !== null && { supersedes }) };
    for (const ledger of ledgers) {
      await recordActivity(tx, ledger, { type, actor, subject: fingerprint, data });
    }
    return { ...key, retired_at: null };
  };
}
