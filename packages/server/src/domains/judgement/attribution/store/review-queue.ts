import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { hasDue } from '../../../../platform/followers/due-work.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import {
  type PageRows,
  type Place,
  type Slice,
  selectPageRows,
} from '../../../../platform/page.js';
import { SUGGESTIONS } from './events-to-score.js';

export interface QueueFilter {
  readonly kind?: 'queue' | 'audit' | undefined;
  readonly currency?: string | undefined;
  readonly source?: string | undefined;
  /** In the base currency. */
  readonly minAmount?: number | undefined;
  readonly hasSuggestion?: boolean | undefined;
}

export interface QueueRow {
  readonly event_id: string;
  readonly model_id: number;
  /** JSON. */
  readonly candidates: string;
  readonly none_share: number;
  /** The priority; infinite for an audit. */
  readonly queuePlace: number;
}

const PAGE = {
  table: raw('event_scores'),
  columns: raw('event_id, model_id, candidates, none_share, queue_place as "queuePlace"'),
  // A page numbers its rows by a column of the name `place`.
  order: raw('queue_place desc, event_id desc'),
  bytes: raw('octet_length(candidates)'),
};

/** The events to review: audits first, then those whose review would teach most. */
export function selectQueue(
  ledger: LedgerReader,
  filter: QueueFilter,
  { after, limit }: Slice<Place>,
): Promise<PageRows<QueueRow>> {
  const further =
    after === null
      ? empty
      : sql` and (place, event_id) < (${String(after.at)}::float8, ${after.id}::uuid)`;
  const rows = sql`
    select event_id, model_id, candidates, none_share, place as queue_place from event_scores
    where ledger_id = ${ledger.ledgerId} and place is not null${conditions(filter)}${further}
    order by event_scores.place desc, event_scores.event_id desc`;
  return selectPageRows<QueueRow>(ledger, { ...PAGE, rows }, limit);
}

function conditions({ kind, currency, source, minAmount, hasSuggestion }: QueueFilter): Sql {
  const all: Sql[] = [];
  if (kind === 'audit') all.push(sql`place = 'Infinity'`);
  if (kind === 'queue') all.push(sql`place < 'Infinity'`);
  if (currency !== undefined) all.push(sql`currency = ${currency}`);
  if (source !== undefined) all.push(sql`source = ${source}`);
  if (minAmount !== undefined) all.push(sql`worth >= ${String(minAmount)}::numeric`);
  if (hasSuggestion !== undefined) all.push(sql`is_suggested = ${hasSuggestion}`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}

export interface QueueSummary {
  readonly reviews: number;
  /** Decimal text. */
  readonly amount: string;
  readonly unconverted: number;
  /** Whether events wait to be scored. */
  readonly is_scoring: boolean;
}

/** How many events wait for a review, and the sum of their amounts in the base currency. */
export async function selectQueueSummary(ledger: LedgerReader): Promise<QueueSummary> {
  const [row] = await ledger.query<QueueSummary>(sql`
    select count(*) as reviews, coalesce(sum(worth), 0)::text as amount,
      count(*) - count(worth) as unconverted,
      ${hasDue(ledger.ledgerId, SUGGESTIONS)} as is_scoring
    from event_scores where ledger_id = ${ledger.ledgerId} and place is not null`);
  if (row === undefined) throw new Error('an aggregate returned no row');
  return row;
}
