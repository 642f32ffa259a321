import type { Mode } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { KEY_COLUMNS, type KeyRow } from './key-row.js';

/** A key with the ledger that it opens. */
export interface KeyWithLedger extends KeyRow {
  readonly key_hash: Buffer;
  readonly ledger_id: string;
  readonly org_id: string;
  readonly mode: Mode;
}

/**
 * The one query of this room without a scope: it is the one that finds the scope.
 * @param keyHashes SHA-256 of keys, hexadecimal
 */
export async function selectKeysByHash(
  db: Queryable,
  keyHashes: readonly string[],
): Promise<KeyWithLedger[]> {
  const hashes = keyHashes.map((hash) => Buffer.from(hash, 'hex'));
  return db.query<KeyWithLedger>(sql`
    select ${KEY_COLUMNS}, k.key_hash, l.ledger_id, l.org_id, l.mode
    from api_keys k join ledgers l on l.ledger_id = k.ledger_id
    where k.key_hash = any(${hashes}::bytea[])`);
}
