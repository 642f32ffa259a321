import type { Keyring, MasterKey, Resealed } from '../../../platform/keyring/keyring.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { LogKeyError, openLogKey, sealLogKey } from './log-key.js';
import { type LogKeyRow, selectLogKeys, updateLogKey } from './store/tlog-keys.js';

/** Seals the keys of the logs of a ledger under a master key. */
export async function resealLogKeys(
  tx: LedgerWriter,
  keyring: Keyring,
  under: MasterKey,
): Promise<Resealed> {
  const unreadable: string[] = [];
  let values = 0;
  for (const row of await selectLogKeys(tx)) {
    const plain = openOrNull(keyring, tx.ledgerId, row);
    if (plain === null) {
      unreadable.push(`the log key ${row.public_key.toString('hex')}`);
      continue;
    }
    const pair = { publicKey: row.public_key, privateKey: plain };
    const sealed = sealLogKey(under, tx.ledgerId, pair);
    plain.fill(0);
    await updateLogKey(tx, { public_key: row.public_key, private_key: sealed });
    values += 1;
  }
  return { values, unreadable };
}

function openOrNull(keyring: Keyring, ledgerId: string, row: LogKeyRow): Buffer | null {
  try {
    return openLogKey(keyring, ledgerId, row.public_key, row.private_key);
  } catch (error) {
    if (error instanceof LogKeyError) return null;
    throw error;
  }
}
