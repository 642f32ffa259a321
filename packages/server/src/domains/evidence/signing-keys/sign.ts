import { createPrivateKey, sign } from 'node:crypto';
import { lockHead } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import { sealingKey } from '../../../platform/keyring/state.js';
import type { Transaction } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import type { Installation, Queryable } from '../../../platform/statement.js';
import { recordActivity } from '../../log/activity/index.js';
import { makePair, openPrivateKey, sealPrivateKey } from './private-key.js';
import {
  type CurrentKeyRow,
  insertSigningKey,
  retireSigningKey,
  selectCurrentSigningKey,
  selectOwnLedgers,
} from './store/signing-keys.js';

/** Signs for an organisation without exposing its private key. */
export interface Signer {
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2): 256 bytes. */
  sign(bytes: Uint8Array): Buffer;
}

/**
 * The signer of an organisation; creates its key if there is none.
 * @throws SigningKeyError if the key cannot be decrypted
 */
export async function openSigner(
  tools: SigningKeyTools,
  org: Pick<Scope, 'orgId'>,
  actor: string,
): Promise<Signer> {
  const current = await ensureKey(tools, org, actor);
  const key = openPrivateKey(tools.keyring, org.orgId, current);
  return {
    fingerprint: current.fingerprint,
    publicKey: current.public_key,
    sign: (bytes) => sign('sha256', bytes, createPrivateKey({ key, format: 'der', type: 'pkcs8' })),
  };
}

/**
 * Checks that the key of an organisation can be decrypted. A missing key passes: it is created later.
 * @throws SigningKeyError
 */
export async function requireSigner(
  db: Queryable,
  keyring: Keyring,
  org: Pick<Scope, 'orgId'>,
): Promise<void> {
  const current = await selectCurrentSigningKey(db, org);
  if (current === null) return;
  openPrivateKey(keyring, org.orgId, current).fill(0);
}

export interface SigningKeyTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly keyring: Keyring;
}

type Organisation = Pick<Scope, 'orgId'>;

/** The current signing key; created if there is none. */
export async function ensureKey(
  tools: SigningKeyTools,
  org: Organisation,
  actor: string,
): Promise<CurrentKeyRow> {
  const current = await selectCurrentSigningKey(tools.db, org);
  if (current !== null) return current;
  const make = await newKey(tools, org);
  return tools.db.transaction(async (tx) => {
    const { ledgers, now } = await lockLedgers(tools.installation.within(tx), tx, org);
    const made = await selectCurrentSigningKey(tx, org);
    return made ?? (await make(tx, ledgers, now, actor, null));
  });
}

/** Replaces the signing key. Bundles of the previous key stay verifiable with its public key. */
export async function replaceSigningKey(
  tools: SigningKeyTools,
  org: Organisation,
  actor: string,
): Promise<CurrentKeyRow> {
  const make = await newKey(tools, org);
  return tools.db.transaction(async (tx) => {
    const { ledgers, now } = await lockLedgers(tools.installation.within(tx), tx, org);
    return make(tx, ledgers, now, actor, await retireSigningKey(tx, org, now));
  });
}

/** Locks both ledgers in a fixed order, which prevents deadlocks. */
async function lockLedgers(installation: Installation, tx: Transaction, org: Organisation) {
  const ledgers = await selectOwnLedgers(installation, org);
  let now = 0;
  for (const ledger of ledgers)
    now = Math.max(now, (await lockHead(tx.ledger(ledger), 'activity')).now);
  return { ledgers, now };
}

/** Generates the pair before anything is locked, because that takes long. */
async function newKey({ keyring }: SigningKeyTools, org: Organisation) {
  const pair = await makePair();
  const { fingerprint, publicKey, privateKey } = pair;
  return async (
    tx: Transaction,
    ledgers: readonly Scope[],
    now: number,
    actor: string,
    supersedes: string | null,
  ): Promise<CurrentKeyRow> => {
    const sealed = sealPrivateKey(await sealingKey(tx, keyring), org.orgId, pair);
    privateKey.fill(0);
    const key = { fingerprint, public_key: publicKey, private_key: sealed, created_at: now };
    if (!(await insertSigningKey(tx, org, key))) throw new Error('there is a current key already');
    const type = supersedes === null ? 'signing_key.created' : 'signing_key.rotated';
    const data = { public_key: publicKey, ...(supersedes !== null && { supersedes }) };
    for (const ledger of ledgers) {
      await recordActivity(tx.ledger(ledger), { type, actor, subject: fingerprint, data });
    }
    return { ...key, retired_at: null };
  };
}
