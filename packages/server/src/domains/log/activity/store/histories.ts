import { formatTimestamp } from '@decision-ledger/contract/time';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { briefText, type RecordedChange } from '@decision-ledger/proof/replay/state';
import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

interface ChangeRow {
  readonly seq: number;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly at: number;
  readonly data: string | null;
}

/** The records of some types about some subjects, oldest first. */
export async function selectHistories(
  ledger: LedgerReader,
  subjects: readonly string[],
  types: readonly string[],
): Promise<Map<string, RecordedChange[]>> {
  const histories = new Map<string, RecordedChange[]>();
  if (subjects.length === 0) return histories;
  const rows = await ledger.query<ChangeRow>(sql`
    select seq, type, actor, subject, (extract(epoch from created_at) * 1000)::bigint as at, data
    from activity
    where ledger_id = ${ledger.ledgerId} and subject = any(${subjects}::text[])
      and type = any(${types}::text[])
    order by activity.seq`);
  for (const row of rows) {
    const history = histories.get(row.subject);
    if (history === undefined) histories.set(row.subject, [changeOf(row)]);
    else history.push(changeOf(row));
  }
  return histories;
}

/** The last record of some types about a subject. */
export async function selectLastChange(
  ledger: LedgerReader,
  subject: string,
  types: readonly string[],
): Promise<RecordedChange | null> {
  const [row] = await ledger.query<ChangeRow>(sql`
    select seq, type, actor, subject, (extract(epoch from created_at) * 1000)::bigint as at, data
    from activity
    where ledger_id = ${ledger.ledgerId} and subject = ${subject} and type = any(${types}::text[])
    order by activity.seq desc limit 1`);
  return row === undefined ? null : changeOf(row);
}

/** The records of some types, with their subjects, oldest first: only for types that are rare. */
export async function selectChangesOfTypes(
  ledger: LedgerReader,
  types: readonly string[],
): Promise<readonly (RecordedChange & { readonly subject: string })[]> {
  const rows = await ledger.query<ChangeRow>(sql`
    select seq, type, actor, subject, (extract(epoch from created_at) * 1000)::bigint as at, data
    from activity where ledger_id = ${ledger.ledgerId} and type = any(${types}::text[])
    order by activity.seq`);
  return rows.map((row) => ({ ...changeOf(row), subject: row.subject }));
}

function changeOf({ seq, type, actor, at, data }: ChangeRow): RecordedChange {
  const value = legibleValue(data, 'data');
  const members =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [];
  return {
    ...{ seq, type, actor, at: formatTimestamp(at) },
    data: new Map(members.map(([name, member]) => [name, briefText(member)])),
  };
}

export interface MadeRow {
  readonly seq: number;
  readonly type: string;
  readonly subject: string;
}

/** The records that made objects, in chain order. The walk looks at `span` records at most. */
export async function selectMade(
  ledger: LedgerReader,
  types: readonly string[],
  { after, until }: { readonly after: number; readonly until: number },
): Promise<MadeRow[]> {
  return ledger.query<MadeRow>(sql`
    select seq, type, subject from activity
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
      and type = any(${types}::text[])
    order by activity.seq`);
}
