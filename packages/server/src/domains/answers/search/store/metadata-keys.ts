import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** Decisions of each sample; a longer metadata is not read. */
const SAMPLE = 300;
const MAX_CHARS = 16_384;
/** More would mislead the planner on how many decisions hold one of the values. */
const MAX_KEYS = 100;

/**
 * The most frequent keys of metadata in the newest decisions and in a sample over the whole ledger. Terms of values are
 * indexed by key, so a search without a key tries these.
 */
export async function selectMetadataKeys(ledger: LedgerReader): Promise<readonly string[]> {
  const rows = await ledger.query<{ key: string }>(sql`
    select member.key
    from (
      (select metadata from decisions where ledger_id = ${ledger.ledgerId}
       order by decisions."timestamp" desc, decisions.decision_id desc limit ${SAMPLE})
      union all
      (select metadata from decisions where ledger_id = ${ledger.ledgerId} and seq in (
        select generate_series(1, h.seq, greatest(1, h.seq / ${SAMPLE}::bigint)) from chain_heads h
        where h.ledger_id = ${ledger.ledgerId} and h.chain = 'decisions'))
    ) as sample,
    json_object_keys(case when octet_length(metadata) <= ${MAX_CHARS} then metadata::json -> 2 end)
      as member(key)
    group by member.key order by count(*) desc, member.key limit ${MAX_KEYS}`);
  return rows.map(({ key }) => key);
}
