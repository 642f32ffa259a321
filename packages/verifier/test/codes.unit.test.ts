import { readFileSync } from 'node:fs';
import { FINDINGS } from '@decision-ledger/verifier/report/codes';
import { expect, test } from 'vitest';
import { USAGE } from '#verifier/cli/arguments';

const TESTS = [
  ...['hostile', 'previous', 'previous-omits', 'logs', 'lateness', 'insurance-logs', 'times'],
  ...['custody', 'verify', 'operator', 'movements', 'inheritance'],
].map((name) => `${name}.unit.test.ts`);
/** Bundles that a filter chose, and those with uploads, are made by the service, and then forged. */
const OF_SERVICE = [
  ...['attacks.int', 'exports.engine'].map((name) => `evidence/filtered-${name}.test.ts`),
  'record/support/uploads-suite.ts',
].map((path) => `../../server/test/${path}`);

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

test('The documentation lists every finding with its text', () => {
  const [, ...rows] = read('../../../docs/data/findings.csv').trim().split('\n');
  const cells = rows.map((row) => /^([a-z_]+),"?(.*?)"?$/.exec(row)?.slice(1));
  expect(cells).toEqual(Object.entries(FINDINGS));
});

test('Every finding has a test', () => {
  const tests = [...TESTS, 'support/tamperings.ts', ...OF_SERVICE]
    .map((name) => read(`./${name}`))
    .join('\n');
  const untested = Object.keys(FINDINGS).filter(
    (code) => !new RegExp(`['\\s]${code}['\\s]`).test(tests),
  );
  expect(untested).toEqual([]);
});

test('The documentation lists every option and no other', () => {
  const optionsOf = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name);
  const page = read('../../../docs/verifier.md');
  expect(optionsOf(page, /^\| `(--[a-z-]+)/gm)).toEqual(optionsOf(USAGE, /^ {2}(--[a-z-]+)/gm));
});
