import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECTIONS, projectionsFor } from '#server/domains/evidence/rebuild/index';
import { type Basis, COLUMN_KINDS, type Kind } from '#server/tables/column';
import { TABLES } from '#server/tables/registry';
import { SEALED_TABLES } from '#server/tables/sealed-tables';
import {
  CHANGES,
  OTHER_CHANGES,
  SUM_CHANGES,
} from '../evidence/reconciliation/support/tampering.js';
import { SERVER } from '../support/paths.js';

/** The snapshot is compared with a fresh database by another test. */
function columnsOfSchema(): string[] {
  const snapshot = readFileSync(join(SERVER, 'migrations/schema.snapshot.txt'), 'utf8');
  return [...snapshot.matchAll(/^column (\S+) /gm)].map(([, name = '']) => name).sort();
}

const registered = Object.entries(TABLES).flatMap(([table, { columns }]) =>
  Object.entries(columns).map(([column, described]) => ({
    name: `${table}.${column}`,
    ...described,
  })),
);

/** What can be said of the columns of each kind: a fact or a published value is fixed, or a claim. */
const BASES: Readonly<Record<Kind, readonly Basis['by'][]>> = {
  fact: ['identity', 'chain', 'entry', 'checkpoint', 'claim'],
  published: ['identity', 'chain', 'entry', 'checkpoint', 'recomputed', 'claim'],
  derived: ['identity', 'chain', 'recomputed', 'unchecked'],
  operational: ['unchecked'],
};

test('Every column of the schema has a kind, and none is listed that does not exist', () => {
  expect(registered.map(({ name }) => name).sort()).toEqual(columnsOfSchema());
  expect(new Set(registered.map(({ kind }) => kind))).toEqual(new Set(Object.keys(COLUMN_KINDS)));
});

test('Every derived column is made again by exactly one projection, which makes no other', () => {
  const made = PROJECTIONS.flatMap(({ makes }) => makes.flatMap(columnsNamed));
  const derived = registered.filter(({ kind }) => kind === 'derived').map(({ name }) => name);
  expect(made.sort()).toEqual(derived.sort());
});

/** The columns that a projection names: `table.*` for all of a table. */
function columnsNamed(name: string): string[] {
  if (!name.endsWith('.*')) return [name];
  const all = registered.filter((column) => column.name.startsWith(name.slice(0, -1)));
  return all.map((column) => column.name);
}

test('A projection is made after those that it is made of', () => {
  const names = PROJECTIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [place, { name, after }] of PROJECTIONS.entries()) {
    for (const other of after) expect(names.indexOf(other), name).toBeLessThan(place);
    for (const other of after) expect(names).toContain(other);
  }
});

test('One projection is made with all those that it is made of', () => {
  const names = projectionsFor('exposure-cells')?.map(({ name }) => name);
  expect(names).toEqual([
    'movements',
    'counted-amounts',
    'allocations',
    'estimates',
    'exposure-cells',
  ]);
  expect(projectionsFor('unknown')).toBeNull();
});

test('Each column is fixed by something that its kind can be fixed by', () => {
  const wrong = registered.filter(({ kind, basis }) => !BASES[kind].includes(basis.by));
  expect(wrong).toEqual([]);
});

test('Each column that nothing fixes says why', () => {
  for (const { name, basis } of registered) {
    if ('why' in basis) expect(basis.why.length, name).toBeGreaterThan(10);
  }
});

test('Every column that a record or a comparison fixes is changed by the tests of tampering', () => {
  const tried = new Set(
    [
      ...Object.entries(CHANGES).flatMap(([table, columns]) =>
        Object.keys(columns).map((column) => [table, column]),
      ),
      ...Object.values(SEALED_TABLES).flatMap(({ table, columns }) =>
        Object.keys(columns).map((column) => [table, column]),
      ),
      ...OTHER_CHANGES,
      ...SUM_CHANGES,
    ].map(([table, column]) => `${table}.${column}`),
  );
  const fixed = registered.filter(({ basis }) => ['entry', 'recomputed'].includes(basis.by));
  expect(fixed.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});
