import { LedgerError } from '@decision-ledger/contract/errors';
import sql from 'sql-template-tag';
import type { Queryable } from '../statement.js';
import { KEPT, type KeptPurpose, type Keyring, type MasterKey, sealUnder } from './keyring.js';

/** The state of the master key in the database. */
export interface KeyState {
  /** The key that seals. */
  readonly key_id: string;
  /** The former key, while values sealed under it may remain. */
  readonly previous_key_id: string | null;
  /** The last ledger that was resealed, during a rotation. */
  readonly done_until: string | null;
}

/** Returns null before the first process that uses the key has started. */
export async function selectKeyState(db: Queryable): Promise<KeyState | null> {
  const [state] = await db.query<KeyState>(sql`
    select key_id, previous_key_id, done_until from master_key`);
  return state ?? null;
}

/** The state, locked against other rotations and against sealing. */
export async function lockKeyState(tx: Queryable): Promise<KeyState | null> {
  const [state] = await tx.query<KeyState>(sql`
    select key_id, previous_key_id, done_until from master_key for update`);
  return state ?? null;
}

/** Stores the first key. Returns false if another process has stored one. */
export async function insertKeyState(tx: Queryable, keyId: string): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into master_key (key_id) values (${keyId}) on conflict do nothing returning key_id`);
  return inserted.length === 1;
}

export async function updateKeyState(tx: Queryable, state: KeyState): Promise<void> {
  await tx.query(sql`
    update master_key set key_id = ${state.key_id}, previous_key_id = ${state.previous_key_id},
      done_until = ${state.done_until}`);
}

/**
 * The key to seal with, fixed until the transaction ends. Lock chain heads before calling this.
 * @throws LedgerError `unavailable` if this process does not have the key
 */
export async function sealingKey(tx: Queryable, keyring: Keyring): Promise<MasterKey> {
  const [state] = await tx.query<Pick<KeyState, 'key_id'>>(sql`
    select key_id from master_key for share`);
  const key = state === undefined ? undefined : keyring.find(state.key_id);
  if (key !== undefined) return key;
  throw new LedgerError(
    'unavailable',
    'this process does not have the current master key of the database: the operator must restart it ' +
      'with that key in LEDGER_MASTER_KEY',
  );
}

/** Stores the kept keys, sealed under the master key. */
export async function upsertKeptKeys(
  tx: Queryable,
  under: MasterKey,
  kept: ReadonlyMap<KeptPurpose, Buffer>,
): Promise<void> {
  for (const [purpose, key] of kept) {
    await tx.query(sql`
      insert into kept_keys (purpose, sealed)
      values (${purpose}, ${sealUnder(under, 'kept keys', key, purpose)})
      on conflict (purpose) do update set sealed = excluded.sealed`);
  }
}

/** @throws SealError if a kept key is missing or no key of the keyring opens it */
export async function openKeptKeys(
  db: Queryable,
  keyring: Keyring,
): Promise<Map<KeptPurpose, Buffer>> {
  const rows = await db.query<{ purpose: string; sealed: Buffer }>(sql`
    select purpose, sealed from kept_keys`);
  const sealed = new Map(rows.map((row) => [row.purpose, row.sealed]));
  return new Map(
    KEPT.map((purpose) => [
      purpose,
      keyring.open('kept keys', sealed.get(purpose) ?? Buffer.alloc(0), purpose),
    ]),
  );
}
