import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Known,
  type PlannedChange,
  planChanges,
} from '#server/domains/sources/accounting/apply';

interface Item {
  readonly key: string;
  readonly fingerprint: string;
  readonly event: { readonly amount: string } | null;
}

const keys = fc.constantFrom('a', 'b', 'c', 'd', '__proto__');
const fingerprints = fc.constantFrom('1', '2', '3');
const items: fc.Arbitrary<Item> = fc.tuple(keys, fc.option(fingerprints)).map(([key, content]) => ({
  key,
  fingerprint: content ?? '',
  event: content === null ? null : { amount: content },
}));
const polls = fc.record({ records: fc.array(items, { maxLength: 10 }), isComplete: fc.boolean() });
const knowns = fc
  .array(fc.tuple(keys, fc.record({ fingerprint: fingerprints, isDeleted: fc.boolean() })))
  .map((entries) => new Map<string, Known>(entries));

/** The state after the changes are recorded. Refuses a change that is impossible there. */
function apply(known: ReadonlyMap<string, Known>, changes: readonly PlannedChange<Item>[]) {
  const result = new Map(known);
  for (const change of changes) {
    const key = change.kind === 'remove' ? change.key : change.record.key;
    const exists = result.get(key)?.isDeleted === false;
    expect(exists).toBe(change.kind !== 'record');
    if (change.kind === 'remove') {
      result.set(key, { fingerprint: result.get(key)?.fingerprint ?? '', isDeleted: true });
    } else {
      result.set(key, { fingerprint: change.record.fingerprint, isDeleted: false });
    }
  }
  return result;
}

function alive(known: ReadonlyMap<string, Known>): Record<string, string> {
  const entries = [...known].filter(([, { isDeleted }]) => !isDeleted);
  return Object.fromEntries(entries.map(([key, { fingerprint }]) => [key, fingerprint]));
}

/** The expected state after a poll, computed without a plan. */
function expected(
  known: ReadonlyMap<string, Known>,
  poll: { records: Item[]; isComplete: boolean },
) {
  const result = new Map(Object.entries(poll.isComplete ? {} : alive(known)));
  for (const { key, fingerprint, event } of poll.records) {
    result.delete(key);
    if (event !== null) result.set(key, fingerprint);
  }
  return Object.fromEntries(result);
}

describe('Plan of changes', () => {
  it('A plan makes the known state equal to the source', () => {
    fc.assert(
      fc.property(knowns, polls, (known, poll) => {
        const after = apply(known, planChanges(known, poll));
        expect(alive(after)).toEqual(expected(known, poll));
      }),
    );
  });

  it('A plan is empty the second time, for any part of the poll that is read again', () => {
    fc.assert(
      fc.property(knowns, polls, fc.nat(), (known, poll, from) => {
        const after = apply(known, planChanges(known, poll));
        expect(planChanges(after, poll)).toEqual([]);
        const last = new Map(poll.records.map((record) => [record.key, record]));
        const again = [...last.values()].slice(from % 5);
        expect(planChanges(after, { records: again, isComplete: false })).toEqual([]);
      }),
    );
  });

  it('A plan changes each record at most once', () => {
    fc.assert(
      fc.property(knowns, polls, (known, poll) => {
        const touched = planChanges(known, poll).map((change) =>
          change.kind === 'remove' ? change.key : change.record.key,
        );
        expect(new Set(touched).size).toBe(touched.length);
      }),
    );
  });

  it('A removed record that returns is recorded again, even unchanged', () => {
    const record = { key: 'a', fingerprint: '1', event: { amount: '1' } };
    const known = new Map([['a', { fingerprint: '1', isDeleted: true }]]);
    const plan = planChanges(known, { records: [record], isComplete: false });
    expect(plan).toEqual([{ kind: 'record', record }]);
  });

  it('Missing records are removed only by a complete poll', () => {
    const known = new Map([['a', { fingerprint: '1', isDeleted: false }]]);
    expect(planChanges(known, { records: [], isComplete: false })).toEqual([]);
    expect(planChanges(known, { records: [], isComplete: true })).toEqual([
      { kind: 'remove', key: 'a' },
    ]);
  });
});
