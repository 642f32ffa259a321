import { beforeEach, expect, it } from 'vitest';
import { coalesce } from '#server/platform/coalesce';
import type { Scope } from '#server/platform/scope';

/** Sweeps under way, in the order in which they began, and how each is ended. */
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

it('one sweep of a ledger is under way, and one is due, however often it is asked for', async () => {
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

it('no ledger waits for another', () => {
  ask(ledger('a'));
  ask(ledger('b'));
  expect(ledgers()).toEqual(['a', 'b']);
});

it('what failed is told, and what was due comes all the same', async () => {
  ask(ledger('a'));
  ask(ledger('a'));
  const error = new Error('the database is away');
  begun[0]?.end(error);
  await settled();
  expect([failures, ledgers()]).toEqual([[error], ['a', 'a']]);
});
