import { setTimeout } from 'node:timers/promises';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { Type } from 'typebox';
import type { Database } from '../../../platform/database.js';
import { type Keyring, sealUnder } from '../../../platform/keyring/keyring.js';
import { sealingKey } from '../../../platform/keyring/state.js';
import type { Scope } from '../../../platform/scope.js';
import { SealError } from '../../../platform/secrets.js';
import { upsertRefreshToken } from './store/connections.js';

const SAVE_TRIES = 10;
const SAVE_DELAY_MS = 1000;

/** The newest token that grew out of one that an administrator set. */
const Kept = Type.Object({ grew_from: Type.String(), token: Type.String() });
const checkKept = checker(Kept, 'refresh token');

export interface TokenKeeper {
  /** The newest token of the chain that begins with the one in the settings. */
  newest(): string;
  /** Seals a token that replaced the one before. */
  save(token: string): Promise<void>;
}

export interface TokenPlace {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly scope: Scope;
  readonly connectionId: string;
}

/**
 * Refresh tokens rotate at each use. An administrator who sets another one begins a new chain.
 * @param fromSettings the token in the settings
 * @param sealed hexadecimal, or null where none was kept yet
 */
export function tokenKeeper(
  { db, keyring, scope, connectionId }: TokenPlace,
  fromSettings: string,
  sealed: string | null,
): TokenKeeper {
  const associated = refreshTokenPlace(scope, connectionId);
  const grew_from = sha256Hex(fromSettings);
  return {
    newest() {
      if (sealed === null) return fromSettings;
      const text = openToken(keyring, sealed, associated)?.toString('utf8');
      // One that cannot be read is lost: the one in the settings is all that is left.
      if (text === undefined) return fromSettings;
      const kept = checkKept(parseJson(text));
      return kept.grew_from === grew_from ? kept.token : fromSettings;
    },
    save: async (token) => {
      const text = JSON.stringify({ grew_from, token });
      await insist(async () => {
        const under = await sealingKey(db, keyring);
        const bytes = sealUnder(under, 'accounting', text, associated).toString('hex');
        if (!(await upsertRefreshToken(db, scope, connectionId, bytes, under.id))) {
          throw new Error('the master key has just changed');
        }
      });
    },
  };
}

/** What a kept token is sealed together with. */
export function refreshTokenPlace(
  { ledgerId }: Pick<Scope, 'ledgerId'>,
  connectionId: string,
): string {
  return `${ledgerId} ${connectionId} refresh_token`;
}

/**
 * Opens a kept token.
 * @param sealed hexadecimal
 * @returns null where it was altered, or sealed under a key that was lost
 */
export function openToken(keyring: Keyring, sealed: string, place: string): Buffer | null {
  try {
    return keyring.open('accounting', Buffer.from(sealed, 'hex'), place);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** A token that is not kept is lost, and the one before is worth nothing any more. */
async function insist(save: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries < SAVE_TRIES; tries++) {
    try {
      return await save();
    } catch {
      await setTimeout(SAVE_DELAY_MS);
    }
  }
  return save();
}
