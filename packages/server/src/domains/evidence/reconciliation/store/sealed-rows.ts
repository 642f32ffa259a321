import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import sql, { empty, raw } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { SealedForm, SealedTable } from '../../../../tables/sealed-tables.js';
import type { SealedRow } from '../rules/seals.js';

/** The part of a table between two positions: the first exclusive, the last inclusive; null for no limit. */
export interface SealedPart {
  readonly after: string | null;
  readonly until: string | null;
}

/** Some rows of a part, in their order. */
export async function selectSealedRows(
  ledger: LedgerReader,
  { table, position, order, columns }: SealedTable,
  { after, until }: SealedPart,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<SealedRow[]> {
  const type = positionType(columns[position]);
  const texts = Object.entries(columns).map(([name, form], index) => textOf(name, form, index));
  const later = after === null ? empty : sql` and ${raw(position)} > ${after}::${raw(type)}`;
  const earlier = until === null ? empty : sql` and ${raw(position)} <= ${until}::${raw(type)}`;
  const ordered = [position, ...order].map((name) => `${table}."${name}"`).join(', ');
  const rows = await ledger.query<Readonly<Record<string, string | null>>>(sql`
    select ${raw(position)}::text as place, ${raw(texts.join(', '))} from ${raw(table)}
    where ledger_id = ${ledger.ledgerId}${later}${earlier}
    order by ${raw(ordered)} limit ${limit} offset ${offset}`);
  return rows.map((row) => ({
    position: row.place ?? '',
    values: texts.map((_, index) => row[`c${index}`] ?? null),
  }));
}

/** The last position of a table, at most `until`; null if there is no row. */
export async function selectLastPosition(
  ledger: LedgerReader,
  { table, position, columns }: SealedTable,
  until: string | null,
): Promise<string | null> {
  const type = positionType(columns[position]);
  const earlier = until === null ? empty : sql` and ${raw(position)} <= ${until}::${raw(type)}`;
  const [row] = await ledger.query<{ last: string | null }>(sql`
    select max(${raw(position)})::text as last from ${raw(table)}
    where ledger_id = ${ledger.ledgerId}${earlier}`);
  return row?.last ?? null;
}

function positionType(form: SealedForm | undefined): 'bigint' | 'date' {
  return form === 'date' ? 'date' : 'bigint';
}

function textOf(name: string, form: SealedForm, index: number): string {
  const column = `"${name}"`;
  const text = form === 'time' ? `(extract(epoch from ${column}) * 1000)::bigint` : column;
  return `${text}::text as c${index}`;
}

/** The data of all seals of a ledger, oldest first. */
export async function selectSeals(ledger: LedgerReader): Promise<unknown[]> {
  const rows = await ledger.query<{ data: string | null }>(sql`
    select data from activity where ledger_id = ${ledger.ledgerId} and type = 'reconciliation.sealed'
    order by activity.seq`);
  return rows.map(({ data }) => legibleValue(data, 'data'));
}
