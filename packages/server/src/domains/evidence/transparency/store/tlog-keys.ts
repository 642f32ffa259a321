import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import type { LogId } from './tlogs.js';

/** Ed25519: the public key has 32 bytes, the private one is sealed. */
export interface LogKeyRow {
  readonly public_key: Buffer;
  readonly private_key: Buffer;
}

/** @param createdAt ms */
export async function insertLogKey(
  tx: LedgerWriter,
  { chain, generation }: LogId,
  key: LogKeyRow,
  createdAt: number,
): Promise<void> {
  await tx.query(sql`
    insert into tlog_keys (ledger_id, chain, generation, public_key, private_key, created_at)
    values (${tx.ledgerId}, ${chain}, ${generation}, ${key.public_key}, ${key.private_key},
      to_timestamp(${createdAt}::bigint / 1000.0))`);
}

/** The current key of a log. */
export async function selectLogKey(
  ledger: LedgerReader,
  { chain, generation }: LogId,
): Promise<LogKeyRow> {
  const [row] = await ledger.query<LogKeyRow>(sql`
    select public_key, private_key from tlog_keys
    where ledger_id = ${ledger.ledgerId} and chain = ${chain} and generation = ${generation}
    order by created_at desc limit 1`);
  if (row === undefined)
    throw new Error(`the ${chain} log of ledger ${ledger.ledgerId} has no key`);
  return row;
}

/** The keys of all logs of a ledger. */
export async function selectLogKeys(ledger: LedgerReader): Promise<LogKeyRow[]> {
  return ledger.query<LogKeyRow>(sql`
    select public_key, private_key from tlog_keys where ledger_id = ${ledger.ledgerId}
    order by chain, generation, public_key`);
}

/** Stores the same private key, sealed under another master key. */
export async function updateLogKey(
  tx: LedgerWriter,
  { public_key, private_key }: LogKeyRow,
): Promise<void> {
  await tx.query(sql`
    update tlog_keys set private_key = ${private_key}
    where ledger_id = ${tx.ledgerId} and public_key = ${public_key}`);
}
