import type pg from 'pg';
import { PROJECTIONS } from '#server/domains/evidence/rebuild/index';
import { TABLES } from '#server/tables/registry';
import { SCHEMA } from '../../../support/postgres-names.js';
import { OTHER_CHANGES, SUM_CHANGES } from '../../reconciliation/support/tampering.js';

/** Every derived column of the registry. */
export const DERIVED = Object.entries(TABLES).flatMap(([table, { columns }]) =>
  Object.entries(columns).flatMap(([column, { kind }]) =>
    kind === 'derived' && column !== 'ledger_id' ? [[table, column] as const] : [],
  ),
);

/** Tables of which every column is derived: their rows may be missing, or too many. */
export const DERIVED_TABLES = Object.entries(TABLES).flatMap(([table, { columns }]) =>
  Object.values(columns).every(({ kind }) => kind === 'derived') ? [table] : [],
);

/** What each projection makes: the columns of a table. */
export const TABLES_MADE = PROJECTIONS.flatMap(({ name, makes }) => {
  const made = DERIVED.filter(
    ([table, column]) => makes.includes(`${table}.*`) || makes.includes(`${table}.${column}`),
  );
  const tables = new Set(made.map(([table]) => table));
  return [...tables].map((table) => {
    const columns = made.flatMap(([of, column]) => (of === table ? [column] : []));
    return { name, table, columns };
  });
});

/** Another value, where the type alone does not say which one the table accepts. */
const VALUES = new Map<string, string>([
  ...[...OTHER_CHANGES, ...SUM_CHANGES].map(
    ([table, column, value]) => [`${table}.${column}`, value] as const,
  ),
  ['link_reviews.verdict', `case verdict when 'rejected' then 'confirmed' else 'rejected' end`],
  ['link_allocations.decision_seq', 'decision_seq + 1'],
]);

const BY_TYPE: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `COLUMN || 'x'`,
  boolean: 'not COLUMN',
  bytea: `set_byte(COLUMN, 0, (get_byte(COLUMN, 0) + 1) % 256)`,
  ARRAY: 'array_append(COLUMN, 7)',
  'timestamp with time zone': `COLUMN + interval '1 day'`,
};

/** An expression for another value of a column. */
export async function otherValue(owner: pg.Client, table: string, column: string): Promise<string> {
  const known = VALUES.get(`${table}.${column}`);
  if (known !== undefined) return known;
  const { rows } = await owner.query<{ data_type: string }>(
    `select data_type from information_schema.columns
    where table_schema = '${SCHEMA}' and table_name = $1 and column_name = $2`,
    [table, column],
  );
  const other = BY_TYPE[rows[0]?.data_type ?? ''] ?? 'COLUMN + 100000';
  return other.replaceAll('COLUMN', `"${column}"`);
}

/**
 * Gives columns of a ledger another value, each in a row of its own, past foreign keys.
 * @returns the columns for which there was a row
 */
export async function damageRows(
  owner: pg.Client,
  ledgerId: string,
  table: string,
  columns: readonly string[],
): Promise<string[]> {
  const damaged = new Map<string, string>();
  await owner.query('begin; set local session_replication_role = replica');
  for (const column of columns) {
    const value = await otherValue(owner, table, column);
    const { rows } = await owner.query<{ place: string }>(
      `update ${table} set "${column}" = ${value} where ctid = (select ctid from ${table}
        where ledger_id = $1 and (${value}) is distinct from "${column}" and ctid <> all($2::tid[])
        order by ctid limit 1) returning ctid::text as place`,
      [ledgerId, [...damaged.values()]],
    );
    for (const { place } of rows) damaged.set(column, place);
  }
  await owner.query('commit');
  return [...damaged.keys()];
}

/** What tables have of a ledger, to the byte. */
export async function contentOf(
  owner: pg.Client,
  ledgerId: string,
  tables: readonly string[] = Object.keys(TABLES),
): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const table of tables) {
    if (TABLES[table]?.columns.ledger_id === undefined) continue;
    const { rows } = await owner.query<{ text: string }>(
      `select t::text as text from ${table} t where ledger_id = $1 order by 1`,
      [ledgerId],
    );
    contents.set(table, rows.map(({ text }) => text).join('\n'));
  }
  return contents;
}
