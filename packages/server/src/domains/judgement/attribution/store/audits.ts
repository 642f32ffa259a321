import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { instant } from '../../../../platform/statement.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { type EventVerdict, isStanding } from './event-reviews.js';

/** An audited event with one standing verdict on it; without any, the verdict is null. */
export interface AuditRow {
  /** UUID. */
  readonly event_id: string;
  /** `2026-04`. */
  readonly month: string;
  readonly source: string;
  readonly band: number;
  readonly probability: number;
  readonly verdict: Exclude<EventVerdict, 'withdrawn'> | null;
  /** UUID. */
  readonly decision_id: string | null;
  /** The suggestions at the time of the verdict; null if the event was not scored by then. */
  readonly suggestions: readonly SuggestionRow[] | null;
}

export interface SuggestionRow {
  readonly decision_id: string;
  readonly share: number;
  readonly label: 'matched' | 'guessed';
}

/** When events were recorded, in ms: from the start, and before the end. */
export interface RecordedRange {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

const SUGGESTIONS = raw(`case when r.choice::json ->> 'none_share' is not null then (
  select coalesce(json_agg(json_build_object('decision_id', c ->> 'decision_id',
    'share', c -> 'share', 'label', c ->> 'label')), '[]')
  from json_array_elements(r.choice::json -> 'candidates') as c
  where (c ->> 'is_suggested')::boolean) end`);

/** The audits of events that were recorded in a range, by month, with the verdicts on each in order. */
export async function selectAudits(
  ledger: LedgerReader,
  range: RecordedRange,
): Promise<AuditRow[]> {
  return ledger.query<AuditRow>(sql`
    select s.event_id, to_char(s.audit_month, 'YYYY-MM') as month, s.audit_source as source,
      s.audit_band as band, s.audit_probability as probability, r.verdict, r.decision_id,
      ${SUGGESTIONS} as suggestions
    from event_scores s
    join financial_events e on e.ledger_id = s.ledger_id and e.event_id = s.event_id
    left join event_reviews r on r.ledger_id = s.ledger_id and r.event_id = s.event_id
      and ${isStanding(ledger.ledgerId)}
    where s.ledger_id = ${ledger.ledgerId} and s.audit_probability is not null${recordedIn(range)}
    order by s.audit_month, s.event_id, r.seq`);
}

function recordedIn({ start, end }: RecordedRange): Sql {
  const from = start === undefined ? empty : sql` and e.created_at >= ${instant(start)}`;
  const until = end === undefined ? empty : sql` and e.created_at < ${instant(end)}`;
  return sql`${from}${until}`;
}
