import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Database, Transaction } from '../../../platform/database.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import { sealingKey } from '../../../platform/keyring/state.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { makePair } from './pair.js';
import { sealPrivateKey } from './seal.js';
import {
  type CurrentKeyRow,
  insertSigningKey,
  retireSigningKey,
  selectCurrentSigningKey,
  selectOwnLedgers,
} from './store/signing-keys.js';

export interface SigningKeyTools {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly recordActivity: RecordActivity;
}

type Organisation = Pick<Scope, 'orgId'>;

/** The key that signs now, made if there is none. */
export async function ensureKey(
  tools: SigningKeyTools,
  org: Organisation,
  actor: string,
): Promise<CurrentKeyRow> {
  const current = await selectCurrentSigningKey(tools.db, org);
  if (current !== null) return current;
  const make = await newKey(tools, org);
  return tools.db.transaction(async (tx) => {
    const { ledgers, now } = await lockLedgers(tx, org);
    const made = await selectCurrentSigningKey(tx, org);
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
    return make(tx, ledgers, now, actor, await retireSigningKey(tx, org, now));
  });
}

/** Locks in the order that all take who lock both. */
async function lockLedgers(tx: Transaction, org: Organisation) {
  const ledgers = await selectOwnLedgers(tx, org);
  let now = 0;
  for (const ledger of ledgers) now = Math.max(now, (await lockHead(tx, ledger, 'activity')).now);
  return { ledgers, now };
}

/** A pair takes a while to find: it is made before anything is locked. */
async function newKey({ keyring, recordActivity }: SigningKeyTools, org: Organisation) {
  const { fingerprint, publicKey, privateKey } = await makePair();
  return async (
    tx: Transaction,
    ledgers: readonly Scope[],
    now: number,
    actor: string,
    supersedes: string | null,
  ): Promise<CurrentKeyRow> => {
    const sealed = sealPrivateKey(
      await sealingKey(tx, keyring),
      org.orgId,
      fingerprint,
      privateKey,
    );
    privateKey.fill(0);
    const key = { fingerprint, public_key: publicKey, private_key: sealed, created_at: now };
    if (!(await insertSigningKey(tx, org, key))) throw new Error('two keys cannot sign at a time');
    const type = supersedes === null ? 'signing_key.created' : 'signing_key.rotated';
    const data = { public_key: publicKey, ...(supersedes !== null && { supersedes }) };
    for (const ledger of ledgers) {
      await recordActivity(tx, ledger, { type, actor, subject: fingerprint, data });
    }
    return { ...key, retired_at: null };
  };
}
