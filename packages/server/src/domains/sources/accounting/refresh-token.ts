import { setTimeout } from 'node:timers/promises';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { Type } from 'typebox';
import type { Database } from '../../../platform/database.js';
import {
  type Keyring,
  type MasterKey,
  type Resealed,
  sealUnder,
} from '../../../platform/keyring/keyring.js';
import { sealingKey } from '../../../platform/keyring/state.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { SealError } from '../../../platform/secrets.js';
import type { RotatingToken } from './connectors/connector.js';
import { selectConnections, updateRefreshToken, upsertRefreshToken } from './store/connections.js';

const SAVE_TRIES = 10;
const SAVE_DELAY_MS = 1000;

/** The newest token of the chain that begins with the one in the settings. */
const Kept = Type.Object({ grew_from: Type.String(), token: Type.String() });
const checkKept = checker(Kept, 'refresh token');

export interface TokenPlace {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly scope: Scope;
  readonly connectionId: string;
}

/**
 * The refresh token of a connection. A new token in the settings begins a new chain.
 * @param fromSettings the token in the settings
 * @param sealed the stored token, hexadecimal; null before the first
 */
export function tokenKeeper(
  { db, keyring, scope, connectionId }: TokenPlace,
  fromSettings: string,
  sealed: string | null,
): RotatingToken {
  const associated = refreshTokenPlace(scope, connectionId);
  const grew_from = sha256Hex(fromSettings);
  return {
    newest() {
      if (sealed === null) return fromSettings;
      const text = openToken(keyring, sealed, associated)?.toString('utf8');
      // A token that cannot be opened is lost; the one in the settings remains.
      if (text === undefined) return fromSettings;
      const kept = checkKept(parseJson(text));
      return kept.grew_from === grew_from ? kept.token : fromSettings;
    },
    save: async (token) => {
      const text = JSON.stringify({ grew_from, token });
      await retried(async () => {
        const under = await sealingKey(db, keyring);
        const bytes = sealUnder(under, 'accounting', text, associated).toString('hex');
        if (
          !(await db
            .ledger(scope)
            .write((tx) => upsertRefreshToken(tx, connectionId, bytes, under.id)))
        ) {
          throw new Error('the master key has just changed');
        }
      });
    },
  };
}

/** The associated data of a sealed token. */
export function refreshTokenPlace(
  { ledgerId }: Pick<Scope, 'ledgerId'>,
  connectionId: string,
): string {
  return `${ledgerId} ${connectionId} refresh_token`;
}

/**
 * Opens a sealed token.
 * @param sealed hexadecimal
 * @returns null for a token that was altered, or sealed under a lost key
 */
export function openToken(keyring: Keyring, sealed: string, place: string): Buffer | null {
  try {
    return keyring.open('accounting', Buffer.from(sealed, 'hex'), place);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** Retries, because the token before is no longer valid: a token that is not saved is lost. */
async function retried(save: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries < SAVE_TRIES; tries++) {
    try {
      return await save();
    } catch {
      await setTimeout(SAVE_DELAY_MS);
    }
  }
  return save();
}

/** Seals the stored refresh tokens of a ledger under another master key. */
export async function resealRefreshTokens(
  tx: LedgerWriter,
  keyring: Keyring,
  under: MasterKey,
): Promise<Resealed> {
  const unreadable: string[] = [];
  let values = 0;
  for (const { connection_id, refresh_token } of await selectConnections(tx)) {
    if (refresh_token === null) continue;
    const place = refreshTokenPlace(tx, connection_id);
    const plain = openToken(keyring, refresh_token, place);
    if (plain === null) {
      unreadable.push(`the refresh token of the accounting connection ${connection_id}`);
      continue;
    }
    const sealed = sealUnder(under, 'accounting', plain, place).toString('hex');
    await updateRefreshToken(tx, connection_id, refresh_token, sealed);
    values += 1;
  }
  return { values, unreadable };
}
