import {
  type ActivityColumns,
  activityWalk,
  decisionWalk,
  type Finding,
  type StoredRecord,
  type Walk,
} from '@decision-ledger/proof/chain';
import { leafHash } from '@decision-ledger/proof/hash';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { json, number, text } from './support/arbitraries.js';
import { chainOf, type DecisionRecord, FIELDS, type Plan, sealed, start } from './support/chain.js';
import { canonicalize, commitmentOracle, present } from './support/oracle.js';
import { type ChainVector, chainVectors, readVectors } from './support/vectors.js';

const noErasure = { isErased: () => false };

interface Head {
  seq: number;
  hash: string;
}

function walkAll<C>(walk: Walk<C>, records: StoredRecord<C>[], head: Head): Finding | null {
  for (const record of records) {
    const finding = walk.step(record);
    if (finding !== null) {
      return finding;
    }
  }
  return walk.finish(head);
}

function headOf(records: DecisionRecord[]): Head {
  const last = records.at(-1);
  return { seq: last?.seq ?? 0, hash: last?.hash ?? start.hash };
}

function verify(records: DecisionRecord[], head: Head = headOf(records)): Finding | null {
  return walkAll(decisionWalk(start, noErasure), records, head);
}

const plan: fc.Arbitrary<Plan> = fc.record({
  choice: fc.integer({ min: 0, max: 1000 }),
  payload: fc.record(
    { inputs: json, outputs: json, alternatives: json, metadata: json },
    { requiredKeys: ['inputs', 'outputs'] },
  ),
});

/** A chain and a position at which to tamper with it. */
const chain = fc
  .array(plan, { minLength: 2, maxLength: 6 })
  .chain((plans) => fc.record({ plans: fc.constant(plans), at: fc.nat({ max: plans.length - 1 }) }))
  .map(({ plans, at }) => ({ records: chainOf(plans), at }));

/** The chain with one record changed. */
function tampered(
  records: DecisionRecord[],
  at: number,
  change: (record: DecisionRecord) => DecisionRecord,
): DecisionRecord[] {
  return records.map((record, index) => (index === at ? change(record) : record));
}

describe('Chain vectors', () => {
  test.each(chainVectors())('The walk of the vector "%s" ends as pinned', (_file, vector) => {
    if (vector.start.seq === 0 && vector.expect.finding === null) {
      expect(leafHash(vector.genesis)).toBe(vector.start.hash);
    }
    const isErased = (id: string, field: string) =>
      vector.erased.some(([erasedId, erasedField]) => erasedId === id && erasedField === field);
    let finding: Finding | null;
    let walk: { checked: number; erased: number };
    if (vector.chain === 'decisions') {
      const decisions = decisionWalk(vector.start, { isErased });
      finding = walkAll(decisions, vector.records, vector.head);
      walk = decisions;
    } else {
      const activity = activityWalk(vector.start);
      finding = walkAll(activity, vector.records, vector.head);
      walk = activity;
    }
    expect({ checked: walk.checked, erased: walk.erased }).toEqual({
      checked: vector.expect.checked,
      erased: vector.expect.erased,
    });
    if (vector.expect.finding === null) {
      expect(finding).toBeNull();
    } else {
      expect(finding).toMatchObject(vector.expect.finding);
    }
  });
});

describe('Valid chains', () => {
  test('A valid chain is walked to its head, from the genesis or from any record', () => {
    fc.assert(
      fc.property(chain, ({ records, at }) => {
        const walk = decisionWalk(start, noErasure);
        expect(walkAll(walk, records, headOf(records))).toBeNull();
        expect(walk.checked).toBe(records.length);
        expect(walk).toMatchObject(headOf(records));

        const middle = headOf(records.slice(0, at));
        const later = decisionWalk({ ...start, ...middle }, noErasure);
        expect(walkAll(later, records.slice(at), headOf(records))).toBeNull();
        expect(later.checked).toBe(records.length - at);
      }),
    );
  });

  test('A chain is valid without exactly the payloads known to be erased', () => {
    fc.assert(
      fc.property(
        chain,
        fc.constantFrom(...FIELDS),
        fc.boolean(),
        ({ records, at }, field, key) => {
          const id = records[at]?.columns.decision_id;
          const had = (records[at]?.disclosures[field] ?? null) !== null;
          const rest = tampered(records, at, (record) => {
            const { [field]: _gone, ...others } = record.disclosures;
            return { ...record, disclosures: key ? others : { ...others, [field]: null } };
          });
          const walk = decisionWalk(start, {
            isErased: (erasedId, erasedField) => erasedId === id && erasedField === field,
          });
          expect(walkAll(walk, rest, headOf(rest))).toBeNull();
          expect(walk.erased).toBe(had ? 1 : 0);
          expect(verify(rest)?.kind ?? null).toBe(had ? 'commitment' : null);
        },
      ),
    );
  });

  test('A change to a field that is erased but still present is found', () => {
    const records = chainOf([{ choice: 1, payload: { inputs: 1, outputs: 2 } }]);
    const changed = tampered(records, 0, (record) => ({
      ...record,
      disclosures: {
        ...record.disclosures,
        inputs: record.disclosures.inputs?.replace('1]', '9]') ?? null,
      },
    }));
    const walk = decisionWalk(start, { isErased: () => true });
    expect(walk.step(present(changed[0]))?.kind).toBe('commitment');
    expect(walk).toMatchObject({ checked: 0, erased: 0, seq: 0, hash: start.hash });
  });
});

describe('Changes of one record', () => {
  const other = '0'.repeat(64);
  const changes: [string, string, (record: DecisionRecord) => DecisionRecord][] = [
    ['content', 'hash', (r) => ({ ...r, hash: other })],
    ['content', 'entry', (r) => ({ ...r, entry: r.entry.replace('"ledger"', '"Ledger"') })],
    ['content', 'lone surrogate in the entry', (r) => ({ ...r, entry: `${r.entry}\ud800` })],
    ['content', 'white space, hashed', (r) => sealed({ ...r, entry: `${r.entry} ` })],
    [
      'content',
      'unknown type, hashed',
      (r) => sealed({ ...r, entry: r.entry.replace('decision/v1', 'decision/v2') }),
    ],
    ['content', 'not JSON, hashed', (r) => sealed({ ...r, entry: '' })],
    ['link', 'previous hash', (r) => ({ ...r, prevHash: other })],
    ['gap', 'sequence number', (r) => ({ ...r, seq: r.seq + 1 })],
    ['gap', 'repeated sequence number', (r) => ({ ...r, seq: r.seq - 1 })],
    ['gap', 'sequence number that is not a number', (r) => ({ ...r, seq: Number.NaN })],
  ];

  test.each(changes)('A changed record is reported as %s: %s', (kind, _name, change) => {
    fc.assert(
      fc.property(chain, ({ records, at }) => {
        const walk = decisionWalk(start, noErasure);
        const finding = walkAll(walk, tampered(records, at, change), headOf(records));
        expect(finding).toMatchObject({ kind, seq: at + 1 });
        expect(walk.checked).toBe(at);
        expect(walk).toMatchObject(headOf(records.slice(0, at)));
      }),
      { numRuns: 30 },
    );
  });

  const columns: [string, (r: DecisionRecord) => Partial<DecisionRecord['columns']>][] = [
    ['decision_id', (r) => ({ decision_id: `${r.columns.decision_id}0` })],
    ['agent_id', () => ({ agent_id: 'agent "9"' })],
    ['action_type', (r) => ({ action_type: `${r.columns.action_type}","x":"` })],
    ['confidence', (r) => ({ confidence: r.columns.confidence + 1e-9 })],
    ['confidence', () => ({ confidence: Number.NaN })],
    ['human_in_loop', (r) => ({ human_in_loop: !r.columns.human_in_loop })],
    ['timestamp', () => ({ timestamp: '2020-01-01T00:00:00.000Z' })],
    ['timestamp', (r) => ({ timestamp: r.columns.timestamp.replace('Z', '') })],
    ['created_at', () => ({ created_at: '2020-01-01T00:00:00.000Z' })],
    ['created_at', () => ({ created_at: '' })],
    ['agent_id', () => ({ agent_id: '\ud800' })],
  ];

  test.each(columns)('A changed column is found at its record: %s', (name, change) => {
    fc.assert(
      fc.property(chain, ({ records, at }) => {
        const edited = tampered(records, at, (r) => ({
          ...r,
          columns: { ...r.columns, ...change(r) },
        }));
        expect(verify(edited)).toMatchObject({ kind: 'column', seq: at + 1, detail: name });
      }),
      { numRuns: 30 },
    );
  });

  test('An entry whose seq, ledger, epoch or prev_hash differs from its record is found', () => {
    for (const [name, value] of Object.entries({
      seq: 9,
      ledger: 'led_2',
      epoch: 2,
      prev_hash: other,
    })) {
      const records = tampered(chainOf([{ choice: 1, payload: {} }]), 0, (r) => {
        const entry: object = JSON.parse(r.entry);
        return sealed({ ...r, entry: canonicalize({ ...entry, [name]: value }) ?? '' });
      });
      expect(verify(records)).toMatchObject({ kind: 'column', expected: value, detail: name });
    }
  });

  const payloads: [string, (disclosure: string, field: string) => string][] = [
    ['value', (d) => d.replace(/,([^,]*)\]$/, ',[$1]]')],
    ['salt', (d) => `["${'_'.repeat(22)}${d.slice(24)}`],
    ['field name', (d, field) => d.replace(`"${field}"`, '"context"')],
    ['white space', (d) => `${d} `],
    ['lone surrogate', (d) => d.replace(/\]$/, '\ud800]')],
    ['nothing', () => ''],
  ];

  test.each(payloads)(
    'A changed disclosure is found as a commitment mismatch: %s',
    (_name, change) => {
      fc.assert(
        fc.property(chain, fc.constantFrom(...FIELDS), ({ records, at }, field) => {
          const disclosure = records[at]?.disclosures[field] ?? null;
          fc.pre(disclosure !== null);
          const edited = tampered(records, at, (r) => ({
            ...r,
            disclosures: { ...r.disclosures, [field]: change(disclosure ?? '', field) },
          }));
          expect(verify(edited)).toMatchObject({ kind: 'commitment', seq: at + 1, detail: field });
        }),
        { numRuns: 60 },
      );
    },
  );

  test('A commitment to the disclosure of another field is found', () => {
    for (const text of [`["${'A'.repeat(22)}","outputs",1]`, 'anything']) {
      const records = tampered(chainOf([{ choice: 1, payload: { inputs: 1 } }]), 0, (r) => {
        const entry: object = JSON.parse(r.entry);
        const commitments = { inputs: commitmentOracle(text) };
        const written = canonicalize({ ...entry, commitments }) ?? '';
        return sealed({ ...r, entry: written, disclosures: { inputs: text } });
      });
      expect(verify(records)).toMatchObject({ kind: 'commitment', detail: 'inputs' });
    }
  });

  test('A payload of a field that the entry lacks is found', () => {
    for (const field of ['alternatives', 'extra', 'constructor', '__proto__']) {
      const records = tampered(chainOf([{ choice: 1, payload: { inputs: 1 } }]), 0, (r) => ({
        ...r,
        disclosures: Object.fromEntries([
          ...Object.entries(r.disclosures),
          [field, `["${'A'.repeat(22)}","${field}",1]`],
        ]),
      }));
      expect(verify(records)).toMatchObject({ kind: 'commitment', expected: null, detail: field });
    }
    const [whole] = chainOf([{ choice: 1, payload: { inputs: 1 } }]);
    const { disclosures } = present(whole);
    const added = { ...present(whole), disclosures: { ...disclosures, metadata: 'anything' } };
    expect(verify([added])).toMatchObject({ kind: 'commitment', expected: null, actual: null });
  });
});

describe('Changes of the order', () => {
  test('Deleted, repeated, swapped and inserted records are found', () => {
    fc.assert(
      fc.property(chain, fc.nat({ max: 5 }), ({ records, at }, to) => {
        const head = headOf(records);
        const deleted = records.filter((_, index) => index !== at);
        expect(verify(deleted, head)?.kind).toBe(at === records.length - 1 ? 'head' : 'gap');

        const doubled = [...records.slice(0, at + 1), ...records.slice(at)];
        expect(verify(doubled, head)).toMatchObject({ kind: 'gap', seq: at + 2 });

        const first = Math.min(at, to % records.length);
        const second = Math.max(at, to % records.length);
        const swapped = tampered(
          tampered(records, first, () => present(records[second])),
          second,
          () => present(records[first]),
        );
        const expected = first === second ? null : { kind: 'gap', seq: first + 1 };
        expect(verify(swapped, head)).toEqual(expected && expect.objectContaining(expected));
      }),
    );
  });

  test('A record that is changed and hashed again breaks the next link or the head', () => {
    fc.assert(
      fc.property(chain, ({ records, at }) => {
        const forged = tampered(records, at, (r) => {
          const columns = { ...r.columns, confidence: 7 };
          const entry: object = JSON.parse(r.entry);
          return sealed({ ...r, columns, entry: canonicalize({ ...entry, confidence: 7 }) ?? '' });
        });
        const isLast = at === records.length - 1;
        expect(verify(forged, headOf(records))).toMatchObject(
          isLast ? { kind: 'head', seq: at + 1 } : { kind: 'link', seq: at + 2 },
        );
      }),
    );
  });

  test('Payloads swapped between two records are found', () => {
    const records = chainOf([
      { choice: 1, payload: { inputs: { a: 1 }, outputs: 1 } },
      { choice: 1, payload: { inputs: { a: 2 }, outputs: 1 } },
    ]);
    const [one, two] = [records[0]?.disclosures ?? {}, records[1]?.disclosures ?? {}];
    const swapped = records.map((r, i) => ({ ...r, disclosures: i === 0 ? two : one }));
    expect(verify(swapped)).toMatchObject({ kind: 'commitment', seq: 1, detail: 'inputs' });
  });

  test('A truncated chain is found, whatever number of records it lost', () => {
    fc.assert(
      fc.property(chain, ({ records, at }) => {
        expect(verify(records.slice(0, at), headOf(records))).toEqual({
          seq: at + 1,
          id: null,
          kind: 'head',
          expected: records.length,
          actual: at,
        });
      }),
    );
  });
});

describe('Two ways to check an entry', () => {
  const odd = fc.record({
    agent_id: fc.oneof(text, fc.constantFrom('\ud800', '\\ud800', '\\\udc00')),
    action_type: text,
    confidence: number,
    timestamp: fc.constantFrom('2020-01-01T00:00:00.000Z', '2020-01-01', '', 'a","b":"c'),
  });

  test('The fast and the full check of a record give the same result', () => {
    fc.assert(
      fc.property(chain, odd, ({ records, at }, change) => {
        const consistent = tampered(records, at, (r) => {
          const entry: object = JSON.parse(r.entry);
          const columns = { ...r.columns, ...change };
          return sealed({ ...r, columns, entry: canonicalize({ ...entry, ...change }) ?? '' });
        });
        // A field that is missing and known to be erased forces the full check.
        const long = tampered(consistent, at, (r) => ({
          ...r,
          disclosures: { ...r.disclosures, inputs: null },
        }));
        const options = { isErased: () => true };
        const quickly = walkAll(decisionWalk(start, options), consistent, headOf(consistent));
        const slowly = walkAll(decisionWalk(start, options), long, headOf(long));
        expect(quickly).toEqual(slowly);
      }),
      { numRuns: 500 },
    );
  });
});

describe('Changes of one activity', () => {
  const vector = readVectors<ChainVector>('chains/good-activity.json');
  const records = vector.chain === 'activity' ? vector.records : [];

  function verifyFirst(change: Partial<StoredRecord<ActivityColumns>>): Finding | null {
    return activityWalk(vector.start).step({ ...present(records[0]), ...change });
  }

  test.each(['activity_id', 'type', 'actor', 'subject', 'created_at'])(
    'A changed activity column is found: %s',
    (name) => {
      const { columns } = present(records[0]);
      expect(verifyFirst({})).toBeNull();
      expect(verifyFirst({ columns: { ...columns, [name]: 'x' } })).toMatchObject({
        kind: 'column',
        actual: 'x',
        detail: name,
      });
    },
  );

  test('A changed activity hash, link, position or payload is found', () => {
    const data = present(records[1]).disclosures.data ?? '';
    expect(verifyFirst({ hash: '0'.repeat(64) })?.kind).toBe('content');
    expect(verifyFirst({ prevHash: '0'.repeat(64) })?.kind).toBe('link');
    expect(verifyFirst({ seq: 2 })?.kind).toBe('gap');
    expect(verifyFirst({ disclosures: { data } })?.kind).toBe('commitment');
    expect(verifyFirst({ disclosures: {} })?.kind).toBe('commitment');
  });
});
