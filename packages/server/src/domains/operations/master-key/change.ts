import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { lockHead } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import { KEPT, type Keyring, type MasterKey } from '../../../platform/keyring/keyring.js';
import {
  insertKeyState,
  type KeyState,
  lockKeyState,
  openKeptKeys,
  updateKeyState,
  upsertKeptKeys,
} from '../../../platform/keyring/state.js';
import type { LedgerWriter, Transaction } from '../../../platform/ledger.js';
import { MasterKeyError, SealError } from '../../../platform/secrets.js';
import type { Installation, Queryable } from '../../../platform/statement.js';
import { selectAllLedgers } from '../../access/organisations/index.js';
import { resealSettings } from '../../access/settings/index.js';
import { resealSigningKeys } from '../../evidence/signing-keys/index.js';
import { resealLogKeys } from '../../evidence/transparency/index.js';
import { recordActivity } from '../../log/activity/index.js';
import { resealRefreshTokens } from '../../sources/accounting/index.js';
import { type OtherProcess, selectProcessesWithout } from './store/processes.js';

export interface RotateTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly keyring: Keyring;
  /** How long to look for processes that lack the new key, ms; null if there can be none. */
  readonly lookMs: number | null;
}

/** Result of a run. */
export interface Rotation {
  readonly key_id: string;
  /** Null if the database already used the new key. */
  readonly previous_key_id: string | null;
  /** Whether this run continued an interrupted one. */
  readonly resumed: boolean;
  /** Ledgers and values resealed by this run. */
  readonly ledgers: number;
  readonly values: number;
  /** Values that neither key decrypts: they are not changed. */
  readonly unreadable: readonly { readonly ledger: string; readonly what: string }[];
}

/**
 * Reseals everything under the newest key of the ring, in one transaction a ledger that also stores the
 * progress. The next run finishes an interrupted one. Processes that have both keys keep working.
 * @throws MasterKeyError if there is no second key, or if running processes lack the new one
 */
export async function rotateMasterKey(
  tools: RotateTools,
  onProgress: (done: number, total: number) => void,
): Promise<Rotation> {
  const [target] = tools.keyring.keys;
  if (target === undefined) throw new RangeError('a keyring needs a key');
  const { state, resumed } = await begin(tools, target);
  const { previous_key_id } = state;
  const nothing = { key_id: target.id, previous_key_id, ledgers: 0, values: 0, unreadable: [] };
  if (previous_key_id === null) return { ...nothing, resumed };
  const all = await selectAllLedgers(tools.installation);
  const left = all.filter(({ ledgerId }) => isPending(ledgerId, state));
  const unreadable: { ledger: string; what: string }[] = [];
  let values = 0;
  for (const [index, scope] of left.entries()) {
    onProgress(all.length - left.length + index, all.length);
    const step = await tools.db.ledger(scope).write((tx) => reseal(tx, tools, target));
    values += step.values;
    const ledger = uuidToId('led', scope.ledgerId);
    unreadable.push(...step.unreadable.map((what) => ({ ledger, what })));
  }
  onProgress(all.length, all.length);
  await finish(tools, target);
  return { ...nothing, resumed, ledgers: left.length, values, unreadable };
}

/** Once it commits, all processes seal under the new key. It waits for transactions that are sealing. */
async function begin({ db, keyring, lookMs }: RotateTools, target: MasterKey) {
  if (lookMs !== null) await refuseOthers(db, target, lookMs);
  return db.transaction(async (tx) => {
    const before = await lockOwnState(tx, keyring);
    if (before.key_id === target.id)
      return { state: before, resumed: before.previous_key_id !== null };
    const state = { key_id: target.id, previous_key_id: before.key_id, done_until: null };
    const kept = await openKeptKeys(tx, keyring);
    await upsertKeptKeys(tx, target, kept);
    await updateKeyState(tx, state);
    keyring.adopt(target.id, kept);
    return { state, resumed: false };
  });
}

const LOOK_EVERY_MS = 500;
/** PostgreSQL lists a closed connection for a short time. */
const MAX_SIGHTINGS = 5;

/**
 * Throws while a process that lacks the new key is connected: it could neither seal nor decrypt. An
 * idle process may briefly have no connection, so none must be seen for all of `lookMs`.
 */
async function refuseOthers(db: Database, target: MasterKey, lookMs: number): Promise<void> {
  let clearMs = 0;
  for (let sightings = 0; ; ) {
    const processes = await selectProcessesWithout(db, target.id);
    if (processes.length === 0 && clearMs >= lookMs) return;
    if (processes.length > 0 && ++sightings === MAX_SIGHTINGS) throw staleProcesses(processes);
    clearMs = processes.length > 0 ? 0 : clearMs + LOOK_EVERY_MS;
    await pause(LOOK_EVERY_MS);
  }
}

function staleProcesses(processes: readonly OtherProcess[]): MasterKeyError {
  const list = processes.map(({ address, connections }) => `${address} (${connections})`);
  return new MasterKeyError(
    `processes without the new master key have connections to this database: ${list.join(', ')}. ` +
      'Restart each of them with the new key in LEDGER_MASTER_KEY and the current one in ' +
      'LEDGER_MASTER_KEY_PREVIOUS, or stop it',
  );
}

/** @throws MasterKeyError if the database names a key that the ring lacks */
async function lockOwnState(tx: Queryable, keyring: Keyring): Promise<KeyState> {
  const state = await lockKeyState(tx);
  const isHeld = (id: string) => keyring.find(id) !== undefined;
  if (state !== null && isHeld(state.key_id) && isHeld(state.previous_key_id ?? state.key_id)) {
    return state;
  }
  throw new MasterKeyError('another process is changing the master key to another one');
}

/** Ledgers are processed by id: lower-case text sorts like the bytes of the UUID. */
function isPending(ledgerId: string, { done_until }: KeyState): boolean {
  return done_until === null || ledgerId > done_until;
}

async function reseal(
  tx: LedgerWriter,
  { keyring }: RotateTools,
  target: MasterKey,
): Promise<{ values: number; unreadable: readonly string[] }> {
  await lockHead(tx, 'activity');
  const state = await lockOwnState(tx.connection, keyring);
  if (state.key_id !== target.id) {
    throw new MasterKeyError('another run is changing the master key back');
  }
  // A concurrent run may have resealed this ledger.
  const isDone = state.previous_key_id === null || !isPending(tx.ledgerId, state);
  if (isDone) return { values: 0, unreadable: [] };
  const settings = await resealSettings(tx, keyring, target);
  const kinds = [
    settings,
    await resealRefreshTokens(tx, keyring, target),
    await resealLogKeys(tx, keyring, target),
    // Signing keys belong to the organisation and are resealed with its live ledger.
    ...(tx.scope.mode === 'live'
      ? [await resealSigningKeys(tx.connection, tx.scope, keyring, target)]
      : []),
  ];
  const values = kinds.reduce((sum, kind) => sum + kind.values, 0);
  const unreadable = kinds.flatMap((kind) => kind.unreadable);
  await recordActivity(tx, {
    type: 'master_key.rotated',
    actor: 'operator',
    subject: uuidToId('led', tx.ledgerId),
    data: {
      key_id: target.id,
      previous_key_id: state.previous_key_id,
      values,
      unreadable: unreadable.length,
      document_digest: settings.document === null ? null : sha256Hex(settings.document),
    },
  });
  await updateKeyState(tx.connection, { ...state, done_until: tx.ledgerId });
  return { values, unreadable };
}

async function finish({ db, keyring }: RotateTools, target: MasterKey): Promise<void> {
  await db.transaction(async (tx) => {
    const { key_id } = await lockOwnState(tx, keyring);
    if (key_id !== target.id) return;
    await updateKeyState(tx, { key_id, previous_key_id: null, done_until: null });
  });
}

export interface ResetTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly keyring: Keyring;
}

const KEPT_BYTES = 32;

/**
 * Replaces a lost master key by the newest key of the ring. Values sealed under the lost key stay
 * unreadable, and earlier requests are no longer recognised by their Idempotency-Key.
 * @throws MasterKeyError if the key is not lost
 * @returns the ids of both keys; null for a previous key whose id was never stored
 */
export async function resetMasterKey({ db, installation, keyring }: ResetTools): Promise<{
  readonly key_id: string;
  readonly previous_key_id: string | null;
}> {
  const [key] = keyring.keys;
  if (key === undefined) throw new RangeError('a keyring needs a key');
  const ledgers = await selectAllLedgers(installation);
  return db.transaction(async (tx) => {
    for (const ledger of ledgers) await lockHead(tx.ledger(ledger), 'activity');
    const before = await lockKeyState(tx);
    if (before !== null && (await isSound(tx, keyring, before))) {
      throw new MasterKeyError('the database already uses this key: there is nothing to reset');
    }
    const names = { key_id: key.id, previous_key_id: before?.key_id ?? null };
    if (before === null) await insertKeyState(tx, key.id);
    await updateKeyState(tx, { key_id: key.id, previous_key_id: null, done_until: null });
    await upsertKeptKeys(tx, key, new Map(KEPT.map((name) => [name, randomBytes(KEPT_BYTES)])));
    for (const ledger of ledgers) {
      const subject = uuidToId('led', ledger.ledgerId);
      await recordActivity(tx.ledger(ledger), {
        type: 'master_key.reset',
        actor: 'operator',
        subject,
        data: names,
      });
    }
    return names;
  });
}

/** Whether the ring contains the key of the database, and it decrypts the keys sealed under it. */
async function isSound(tx: Transaction, keyring: Keyring, { key_id }: KeyState): Promise<boolean> {
  if (keyring.find(key_id) === undefined) return false;
  try {
    await openKeptKeys(tx, keyring);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
