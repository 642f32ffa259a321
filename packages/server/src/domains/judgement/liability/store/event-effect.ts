import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** Decisions that have a share of an event. */
export async function selectShareholders(ledger: LedgerReader, eventId: string): Promise<number[]> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select distinct a.decision_seq as seq from link_allocations a
    where a.ledger_id = ${ledger.ledgerId} and a.event_id = ${eventId} order by 1`);
  return rows.map(({ seq }) => seq);
}

/** @returns decimal texts: the stored exposures of decisions, in the base currency */
export async function selectExposures(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<{ readonly seq: number; readonly exposure: string }[]> {
  return ledger.query(sql`
    select e.seq, e.exposure::text as exposure from liability_estimates e
    where e.ledger_id = ${ledger.ledgerId} and e.seq = any(${seqs}::bigint[])`);
}

/** What the links of an event count as confirmed or matched money. */
export interface CountedShare {
  /** Decimal text, in the currency of the event. */
  readonly amount: string;
  readonly currency: string;
  /** ms. */
  readonly at: number;
}

/** @returns null if no link of the event counts */
export async function selectCountedShare(
  ledger: LedgerReader,
  eventId: string,
): Promise<CountedShare | null> {
  const [row] = await ledger.query<CountedShare>(sql`
    select sum(a.amount)::text as amount, a.currency,
      (extract(epoch from a."timestamp") * 1000)::bigint as at
    from link_allocations a
    where a.ledger_id = ${ledger.ledgerId} and a.event_id = ${eventId} and a.label <> 'guessed'
    group by a.currency, a."timestamp"`);
  return row ?? null;
}
