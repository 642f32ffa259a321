import { beforeEach, expect, it } from 'vitest';
import { coalesce } from '#server/platform/coalesce';
import type { Scope } from '#server/platform/principal';

/** Running sweeps in order of start, with a way to end each. */
let begun: { readonly ledgerId: string; end(error?: Error): void }[];
let failures: unknown[];
let ask: (scope: Scope) => void;

beforeEach(() => {
  begun = [];
  failures = [];
  ask = coalesce(
    ({ ledgerId }) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error === undefined ? resolve() : reject(error));
        begun.push({ ledgerId, end });
      }),
    (error) => failures.push(error),
  );
});

const ledger = (ledgerId: string): Scope => ({ orgId: 'o', ledgerId, mode: 'live' });
const settled = () => new Promise((resolve) => setImmediate(resolve));
const ledgers = () => begun.map(({ ledgerId }) => ledgerId);

it('A ledger has at most one running and one pending sweep', async () => {
  for (let n = 0; n < 100; n += 1) ask(ledger('a'));
  expect(ledgers()).toEqual(['a']);
  begun[0]?.end();
  await settled();
  expect(ledgers()).toEqual(['a', 'a']);
  begun[1]?.end();
  await settled();
  expect(ledgers()).toEqual(['a', 'a']);
  ask(ledger('a'));
  expect(ledgers()).toHaveLength(3);
});

it('Ledgers do not wait for each other', () => {
  ask(ledger('a'));
  ask(ledger('b'));
  expect(ledgers()).toEqual(['a', 'b']);
});

it('A failed sweep is reported, and the pending one still runs', async () => {
  ask(ledger('a'));
  ask(ledger('a'));
  const error = new Error('the database is away');
  begun[0]?.end(error);
  await settled();
  expect([failures, ledgers()]).toEqual([[error], ['a', 'a']]);
});
