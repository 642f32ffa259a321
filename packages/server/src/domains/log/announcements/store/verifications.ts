import sql from 'sql-template-tag';
import type { ChainName } from '../../../../platform/chain/head.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

/** The result of verifying a whole chain. */
export interface VerificationRow {
  readonly chain: ChainName;
  readonly is_valid: boolean;
  readonly records_checked: number;
  readonly erased_fields: number;
  readonly head_seq: number;
  readonly head_hash: string;
  /** ms. */
  readonly verified_at: number;
}

/** Keeps a verification as the last one, unless a later one is kept already. */
export async function upsertVerification(tx: LedgerWriter, row: VerificationRow): Promise<void> {
  await tx.query(sql`
    insert into verifications as v (ledger_id, chain, is_valid, records_checked, erased_fields,
      head_seq, head_hash, verified_at)
    values (${tx.ledgerId}, ${row.chain}, ${row.is_valid}, ${row.records_checked},
      ${row.erased_fields}, ${row.head_seq}, ${row.head_hash},
      to_timestamp(${row.verified_at}::bigint / 1000.0))
    on conflict (ledger_id, chain) do update set is_valid = excluded.is_valid,
      records_checked = excluded.records_checked, erased_fields = excluded.erased_fields,
      head_seq = excluded.head_seq, head_hash = excluded.head_hash,
      verified_at = excluded.verified_at
    where v.verified_at <= excluded.verified_at`);
}

export async function selectVerifications(ledger: LedgerReader): Promise<VerificationRow[]> {
  return ledger.query<VerificationRow>(sql`
    select chain, is_valid, records_checked, erased_fields, head_seq, head_hash,
      (extract(epoch from verified_at) * 1000)::bigint as verified_at
    from verifications where ledger_id = ${ledger.ledgerId}`);
}
