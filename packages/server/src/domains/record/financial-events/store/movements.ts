import sql from 'sql-template-tag';
import { uuidArray } from '../../../../platform/binary-array.js';
import { hastenDue } from '../../../../platform/followers/due-work.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';
import { within } from './counted-amounts.js';

/** The follower that pairs reports of the same money by rules: those that may be are due. */
export const MOVEMENTS = 'movements';

/** Lets reports (UUIDs) that changed be compared with others. */
export async function reconsider(tx: LedgerWriter, eventIds: readonly string[]): Promise<void> {
  await hastenDue(tx, MOVEMENTS, eventIds);
}

/** A report and its movement, which the report that leads it names: UUIDs, time in ms. */
export interface ReportRow {
  readonly event_id: string;
  readonly lead_id: string;
  readonly source: string;
  readonly external_id: string | null;
  readonly timestamp: number;
}

/** All reports of the movements that some events (UUIDs) belong to. OFFSET lets the planner only look up each movement. */
export async function selectReports(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<ReportRow[]> {
  if (eventIds.length === 0) return [];
  return ledger.query<ReportRow>(sql`
    select report.event_id, report.lead_id, report.source, report.external_id,
      (extract(epoch from report."timestamp") * 1000)::bigint as "timestamp"
    from (
      select distinct own.lead_id from financial_events own
      where own.ledger_id = ${ledger.ledgerId} and own.event_id = any(${eventIds}::uuid[])) as movement,
    lateral (
      select * from financial_events
      where ledger_id = ${ledger.ledgerId} and lead_id = movement.lead_id offset 0) as report
    order by report.event_id`);
}

export async function updateLeads(
  tx: LedgerWriter,
  rows: readonly Pick<ReportRow, 'event_id' | 'lead_id'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update financial_events e set lead_id = n.lead_id
    from unnest(
      ${uuidArray(rows, ({ event_id }) => event_id)}::uuid[],
      ${uuidArray(rows, ({ lead_id }) => lead_id)}::uuid[]
    ) as n (event_id, lead_id)
    where e.ledger_id = ${tx.ledgerId} and e.event_id = n.event_id`);
}

/** Which report leads the movement of each one. */
export const LEADS = new DerivedRows('financial_events', {
  key: ['event_id'],
  values: ['lead_id'],
});

export function compareLeads(
  ledger: LedgerReader,
  range: KeyRange<string>,
  made: readonly Pick<ReportRow, 'event_id' | 'lead_id'>[],
): Promise<RowComparison> {
  return LEADS.compare(ledger, LEADS.made(made), sql`true${within(range)}`);
}
