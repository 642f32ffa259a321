import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REGISTRY } from '#server/domains/evidence/reconciliation/rules/registry';
import { SERVER } from '../../support/paths.js';

function columnsOfSchema(): string[] {
  const snapshot = readFileSync(join(SERVER, 'migrations/schema.snapshot.txt'), 'utf8');
  return [...snapshot.matchAll(/^column (\S+) /gm)].map(([, name = '']) => name).sort();
}

const registered = Object.entries(REGISTRY).flatMap(([table, columns]) =>
  Object.keys(columns).map((column) => `${table}.${column}`),
);

test('Every column of the schema has a stated basis, and none is stated that does not exist', () => {
  expect(registered.sort()).toEqual(columnsOfSchema());
});

test('Each basis that proves nothing says why', () => {
  for (const [table, columns] of Object.entries(REGISTRY)) {
    for (const [column, basis] of Object.entries(columns)) {
      if ('why' in basis) expect(basis.why.length, `${table}.${column}`).toBeGreaterThan(10);
    }
  }
});
