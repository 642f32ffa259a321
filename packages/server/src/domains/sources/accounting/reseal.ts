import {
  type Keyring,
  type MasterKey,
  type Resealed,
  sealUnder,
} from '../../../platform/keyring/keyring.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { openToken, refreshTokenPlace } from './refresh-token.js';
import { selectConnections, updateRefreshToken } from './store/connections.js';

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
