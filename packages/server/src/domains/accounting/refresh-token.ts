import { setTimeout } from 'node:timers/promises';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { Type } from 'typebox';
import type { Database } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { deriveKey, SecretBox } from '../../platform/secrets.js';
import { upsertRefreshToken } from './store/upsert-refresh-token.js';

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
  readonly masterKey: Buffer;
  readonly scope: Scope;
  readonly connectionId: string;
}

/**
 * Refresh tokens rotate at each use. An administrator who sets another one begins a new chain.
 * @param fromSettings the token in the settings
 * @param sealed hexadecimal, or null where none was kept yet
 */
export function tokenKeeper(
  { db, masterKey, scope, connectionId }: TokenPlace,
  fromSettings: string,
  sealed: string | null,
): TokenKeeper {
  const box = new SecretBox(deriveKey(masterKey, 'accounting'));
  const associated = `${scope.ledgerId} ${connectionId} refresh_token`;
  const grew_from = sha256Hex(fromSettings);
  return {
    newest() {
      if (sealed === null) return fromSettings;
      const text = box.open(Buffer.from(sealed, 'hex'), associated).toString('utf8');
      const kept = checkKept(parseJson(text));
      return kept.grew_from === grew_from ? kept.token : fromSettings;
    },
    save: async (token) => {
      const text = JSON.stringify({ grew_from, token });
      const bytes = box.seal(text, associated).toString('hex');
      await insist(() => upsertRefreshToken(db, scope, connectionId, bytes));
    },
  };
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
