import { expect, it } from 'vitest';
import { defaultRole, isUnfitRole, searchPath } from '#server/platform/database-names';

it.for([
  ['shop', 'public', 'ledger_app_shop'],
  ['shop', 'ledger', 'ledger_app_shop.ledger'],
  ['pg_shop', 'public', 'ledger_app_pg_shop'],
  ['Shop "2"', 'public', 'ledger_app_Shop "2"'],
])('The role of the database %s and the schema %s is %s', ([database = '', schema = '', role]) => {
  expect(defaultRole(database, schema)).toBe(role);
});

it('Long names give roles that fit, and differ where only their ends do', () => {
  const databases = ['a', 'b'].map((end) => `${'ü'.repeat(31)}${end}`);
  const roles = databases.flatMap((name) =>
    ['public', 'ledger'].map((schema) => defaultRole(name, schema)),
  );
  expect(new Set(roles).size).toBe(4);
  for (const role of roles) {
    expect(Buffer.byteLength(role)).toBeLessThanOrEqual(63);
    expect(role).toMatch(/^ledger_app_ü+_[0-9a-f]{16}$/);
  }
});

it.for(['pg_app', 'none', 'public', 'a\nb', 'ü'.repeat(32)])('%j is not a role', (name) => {
  expect(isUnfitRole(name)).toBe(true);
});

it.for(['ledger', 'Ledger-App', 'ü'.repeat(31)])('%s may be a role', (name) => {
  expect(isUnfitRole(name)).toBe(false);
});

it('Temporary tables come last, and those of jobs first', () => {
  expect(searchPath({ role: 'r', schema: 's' })).toBe('"s_jobs", "s", "pg_temp"');
});
