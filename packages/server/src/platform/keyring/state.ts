import { LedgerError } from '@decision-ledger/contract/errors';
import sql from 'sql-template-tag';
import type { Queryable } from '../database.js';
import { KEPT, type KeptPurpose, type Keyring, type MasterKey, sealUnder } from './keyring.js';

/** What the database says of its master key. */
export interface KeyState {
  /** The key that seals now. */
  readonly key_id: string;
  /** The key before, while values under it may be left. */
  readonly previous_key_id: string | null;
  /** The last ledger whose values are sealed anew, while the key is changed. */
  readonly done_until: string | null;
}

/** Null before the first process that needs the key has come. */
export async function selectKeyState(db: Queryable): Promise<KeyState | null> {
  const [state] = await db.query<KeyState>(sql`
    select key_id, previous_key_id, done_until from master_key`);
  return state ?? null;
}

/** The same, locked against every other change of the key and against whoever seals. */
export async function lockKeyState(tx: Queryable): Promise<KeyState | null> {
  const [state] = await tx.query<KeyState>(sql`
    select key_id, previous_key_id, done_until from master_key for update`);
  return state ?? null;
}

/** Names the first key. False where another process has named one. */
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
 * The key to seal with. It stays so until the transaction ends. Lock heads of chains before.
 * @throws LedgerError `unavailable` where this process does not have it
 */
export async function sealingKey(tx: Queryable, keyring: Keyring): Promise<MasterKey> {
  const [state] = await tx.query<Pick<KeyState, 'key_id'>>(sql`
    select key_id from master_key for share`);
  const key = state === undefined ? undefined : keyring.find(state.key_id);
  if (key !== undefined) return key;
  throw new LedgerError(
    'unavailable',
    'this process does not have the master key of the database: the operator starts it with ' +
      'LEDGER_MASTER_KEY of now',
  );
}

/** Stores the keys that outlive the master key, sealed under it. */
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

/** @throws SealError where one of them opens with no key of the ring, or is missing */
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
