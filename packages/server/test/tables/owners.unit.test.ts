import { expect, it } from 'vitest';
import { TABLES } from '#server/tables/registry';
import {
  belongsTo,
  type Fragment,
  fragmentsOf,
  parseSource,
  partOf,
  readSources,
  writtenTables,
} from '../../../../scripts/support/statements.js';

const sources = readSources();

/** Writes past the owner; `pgboss` has its own. */
function breaches(fragments: readonly Fragment[]): string[] {
  const found = fragments.flatMap((fragment) =>
    writtenTables(fragment)
      .filter((table) => !table.startsWith('pgboss.'))
      .filter((table) => !belongsTo(partOf(fragment.path), TABLES[table]?.owner ?? ''))
      .map((table) => `${partOf(fragment.path)} writes ${table}`),
  );
  return [...new Set(found)].sort();
}

it('Only its owner writes a table', () => {
  expect(breaches(sources.flatMap(fragmentsOf))).toEqual([]);
});

it('Every table that the service may write has a writer, so that the search finds what it looks for', () => {
  const written = new Set(sources.flatMap(fragmentsOf).flatMap(writtenTables));
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
  expect(breaches(fragmentsOf(source))).toHaveLength(1);
});

it.for([
  'select 1 from links for update',
  'select 1 from links for update of links skip locked',
  'insert into decisions (a) values (1) on conflict (a) do update set a = 1',
])('The search accepts from another domain: %s', (statement) => {
  const source = parseSource('domains/record/decisions/a.ts', `sql\`${statement}\`;`);
  expect(breaches(fragmentsOf(source))).toEqual([]);
});
