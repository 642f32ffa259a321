import { expect, it } from 'vitest';
import { TABLES } from '#server/tables/registry';
import {
  belongsTo,
  derivedTables,
  fragmentsOf,
  parseSource,
  partOf,
  readSources,
  type Source,
  writtenTables,
} from '../../../../scripts/support/statements.js';

const sources = readSources();

/** Writes the tables that others name. */
const BY_NAME = 'platform/projections/derived-rows.ts';

function tablesOf(source: Source): string[] {
  const stated = fragmentsOf(source).flatMap(writtenTables);
  return [...(source.path === BY_NAME ? [] : stated), ...derivedTables(source)];
}

/** The tables of pg-boss. */
const JOBS = new Set(['job', 'queue']);

/** Writes past the owner. */
function breaches(all: readonly Source[]): string[] {
  const found = all.flatMap((source) =>
    tablesOf(source)
      .filter((table) => !JOBS.has(table))
      .filter((table) => !belongsTo(partOf(source.path), TABLES[table]?.owner ?? ''))
      .map((table) => `${partOf(source.path)} writes ${table}`),
  );
  return [...new Set(found)].sort();
}

it('Only its owner writes a table', () => {
  expect(breaches(sources)).toEqual([]);
});

it('Every table that the service may write has a writer, so that the search finds what it looks for', () => {
  const written = new Set(sources.flatMap(tablesOf));
  // Written in plain SQL, before there are tables.
  written.add('schema_migrations');
  expect(Object.keys(TABLES).filter((table) => !written.has(table))).toEqual([]);
});

it('Every owner is a part of the service', () => {
  const parts = sources.map(({ path }) => partOf(path));
  const owners = new Set(Object.values(TABLES).map(({ owner }) => owner));
  const unknown = [...owners].filter((owner) => !parts.some((part) => belongsTo(part, owner)));
  expect(unknown).toEqual([]);
});

it.for([
  'insert into links (ledger_id) values (1)',
  'insert into public.links as l (ledger_id) values (1)',
  'update links set a = 1',
  'delete from links where a = 1',
  'with gone as (delete from links returning 1) select 1 from gone',
  'merge into links using other on true when matched then delete',
  'truncate links',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a statement
  'update ${raw(table)} set a = 1',
])('The search reports from another domain: %s', (statement) => {
  const source = parseSource('domains/record/decisions/a.ts', `sql\`${statement}\`;`);
  expect(breaches([source])).toHaveLength(1);
});

it.for(["'links'", 'name'])('The search reports derived rows of another domain: %s', (table) => {
  const code = `const rows = new DerivedRows(${table}, { key: ['link_id'], values: [] });`;
  expect(breaches([parseSource('domains/record/decisions/a.ts', code)])).toHaveLength(1);
});

it.for([
  'select 1 from links for update',
  'select 1 from links for update of links skip locked',
  'insert into decisions (a) values (1) on conflict (a) do update set a = 1',
])('The search accepts from another domain: %s', (statement) => {
  const source = parseSource('domains/record/decisions/a.ts', `sql\`${statement}\`;`);
  expect(breaches([source])).toEqual([]);
});
