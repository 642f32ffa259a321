import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { uuidToId } from '../../../../platform/ids.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { selectPageRows } from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import type { Article12Summary } from '../rules/article12.js';

/** start ≤ timestamp < end, in ms. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether a range contains more than `max` decisions. */
export async function selectIsLarge(
  ledger: LedgerReader,
  { start, end }: Range,
  max: number,
): Promise<boolean> {
  const rows = await ledger.query(sql`
    select from decisions where ledger_id = ${ledger.ledgerId}
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}
    offset ${max} limit 1`);
  return rows.length > 0;
}

/** The extent of an export. It is read once, so that later attempts make the same bundle. */
export interface Extent extends Range {
  /** Start of a run of the chain that contains all decisions of the range. */
  readonly firstSeq: number;
  /** End of that run; 0 if it has no decision. */
  readonly lastSeq: number;
  /** Decisions in the range. */
  readonly decisions: number;
  /** Last seq of the chain of decisions when the export started. */
  readonly head: number;
  /** Last seq of the chain of activity when the export started. */
  readonly since: number;
}

export async function selectExtent(ledger: LedgerReader, { start, end }: Range): Promise<Extent> {
  const [row] = await ledger.query<Omit<Extent, keyof Range>>(sql`
    select coalesce(min(d.seq), 1) as "firstSeq", coalesce(max(d.seq), 0) as "lastSeq",
      count(*) as decisions,
      (select b.seq from chain_heads b
        where b.ledger_id = ${ledger.ledgerId} and b.chain = 'decisions') as head,
      (select a.seq from chain_heads a
        where a.ledger_id = ${ledger.ledgerId} and a.chain = 'activity') as since
    from decisions d
    join chain_heads h on h.ledger_id = d.ledger_id and h.chain = 'decisions' and d.seq <= h.seq
    where d.ledger_id = ${ledger.ledgerId}
      and d."timestamp" >= ${instant(start)}
      and d."timestamp" < ${instant(end)}`);
  if (row === undefined) throw new Error('an aggregate returned no row');
  return { start, end, ...row };
}

/** A page of the decisions of a bundle. */
export interface DecisionPage extends Range {
  readonly lastSeq: number;
  /** The last decision of the previous page. */
  readonly after: ExportPosition | null;
}

/** The conditions of a page on the table d, starting with ` and `. */
function inPage({ start, end, lastSeq, after }: DecisionPage): Sql {
  const afterPosition =
    after === null
      ? empty
      : sql` and (d."timestamp", d.seq) > (${instant(after.timestamp)}, ${after.seq}::bigint)`;
  const from = after === null ? start : Math.max(start, after.timestamp);
  return sql` and d."timestamp" >= ${instant(from)} and d."timestamp" < ${instant(end)}
    and d.seq <= ${lastSeq}${afterPosition}`;
}

/** Columns of the table d; bytes in hexadecimal, times in ms. */
const SUMMARY_COLUMNS = raw(`d.seq, d.epoch, d.decision_id, d.agent_id, d.action_type,
  d.confidence, d.human_in_loop, (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
  (extract(epoch from d.created_at) * 1000)::bigint as created_at,
  encode(d.hash, 'hex') as hash, encode(d.prev_hash, 'hex') as prev_hash, d.entry,
  d.inputs is not null as has_inputs, d.outputs is not null as has_outputs,
  d.alternatives is not null as has_alternatives, d.metadata`);

/** A page of decisions without payload except for the metadata; it has at least one row. */
export async function selectArticle12Summaries(
  ledger: LedgerReader,
  page: DecisionPage,
  max: { readonly records: number; readonly bytes: number },
): Promise<Article12Summary[]> {
  const rows = sql`
    select * from decisions d where d.ledger_id = ${ledger.ledgerId}${inPage(page)}
    order by d."timestamp", d.seq`;
  const source = { ...SUMMARY_PAGE, rows };
  const found = await selectPageRows<Article12Summary>(ledger, source, max.records, max.bytes);
  return found.rows.map((row) => ({ ...row, decision_id: uuidToId('dec', row.decision_id) }));
}

const SUMMARY_PAGE = {
  table: raw('d'),
  columns: SUMMARY_COLUMNS,
  order: raw('"timestamp", seq'),
  bytes: raw('octet_length(entry) + coalesce(octet_length(metadata), 0)'),
};

/** The columns of a decision that are added to the sums. */
export interface InsuredRow {
  readonly seq: number;
  /** UUID. */
  readonly decision_id: string;
  /** ms. */
  readonly timestamp: number;
  readonly action_type: string;
  readonly confidence: number;
  readonly overseen: boolean;
  /** Both decimal text; null without an estimate. */
  readonly exposure: string | null;
  readonly realised: string | null;
  /** The allocations of its confirmed losses: signed amount as decimal text, currency and time (ms). */
  readonly losses: readonly (readonly [amount: string, currency: string, at: number])[];
}

/** A page by time, then by seq. Without an estimate, only `human_in_loop` counts as oversight. */
export async function selectInsuredDecisions(
  ledger: LedgerReader,
  page: DecisionPage,
  limit: number,
): Promise<InsuredRow[]> {
  return ledger.query<InsuredRow>(sql`
    select d.seq, d.decision_id, (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
      d.action_type, d.confidence, e.exposure::text as exposure, e.realised::text as realised,
      case when e.seq is null then d.human_in_loop else e.oversight <> 'none' end as overseen,
      coalesce((
        select json_agg(json_build_array(a.amount::text, a.currency,
          (extract(epoch from a."timestamp") * 1000)::bigint))
        from link_allocations a
        where a.ledger_id = ${ledger.ledgerId} and a.decision_seq = d.seq and a.label = 'confirmed'
          and a.link_type = 'loss'), '[]') as losses
    from decisions d
    left join liability_estimates e on e.ledger_id = ${ledger.ledgerId} and e.seq = d.seq
    where d.ledger_id = ${ledger.ledgerId}${inPage(page)}
    order by d."timestamp", d.seq limit ${limit}`);
}

/** A position in decisions ordered by time, then by seq. */
export interface ExportPosition {
  /** ms. */
  readonly timestamp: number;
  readonly seq: number;
}

export function writeExportPosition({ timestamp, seq }: ExportPosition): string {
  return `${timestamp}:${seq}`;
}

/** @throws RangeError for a text that `writeExportPosition` cannot return */
export function readExportPosition(text: string): ExportPosition {
  const match = /^(-?\d{1,15}):(\d{1,16})$/.exec(text);
  if (match === null) throw new RangeError('the text is not a position in a file of decisions');
  return { timestamp: Number(match[1]), seq: Number(match[2]) };
}
