import { typesAbout } from '@decision-ledger/proof/activity-types';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import {
  ACTIVITY_TYPE,
  type ActivityEntry,
  activityEntry,
  DECISION_TYPE,
  type DecisionEntry,
  decisionEntry,
  EntryError,
  GENESIS_TYPE,
  type GenesisEntry,
  genesisEntry,
  readEntry,
} from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { number, text } from './support/arbitraries.js';
import { present, pretend } from './support/oracle.js';
import { type EntryVectors, readVectors } from './support/vectors.js';

const vectors =
  readVectors<EntryVectors<DecisionEntry & ActivityEntry & GenesisEntry>>('entries.json');

const writers = {
  [DECISION_TYPE]: decisionEntry,
  [ACTIVITY_TYPE]: activityEntry,
  [GENESIS_TYPE]: genesisEntry,
};

const hex = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'),
  minLength: 64,
  maxLength: 64,
});
const digest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'));
const time = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const position = { ledger: text, epoch: count, seq: count, prev_hash: hex };

const decision: fc.Arbitrary<DecisionEntry> = fc.record({
  ...position,
  decision_id: text,
  agent_id: text,
  action_type: text,
  confidence: number,
  human_in_loop: fc.boolean(),
  timestamp: time,
  created_at: time,
  commitments: fc.record(
    { inputs: digest, outputs: digest, alternatives: digest, metadata: digest },
    { requiredKeys: [] },
  ),
});

/** The types of activity that state times, and some that state none. */
const DATED = [...typesAbout('event'), ...typesAbout('link')];
const UNDATED = [...typesAbout('decision'), ...typesAbout('ledger'), ...typesAbout('key')];

const members = { ...position, activity_id: text, actor: text, subject: text, created_at: time };
const data = fc.record({ data: digest }, { requiredKeys: [] });
const times = fc.record({ data: digest, when: digest }, { requiredKeys: ['when'] });

const activity: fc.Arbitrary<ActivityEntry> = fc.oneof(
  fc.record({ ...members, type: fc.constantFrom(...DATED), commitments: times }),
  fc.record({ ...members, type: fc.constantFrom(...UNDATED), commitments: data }),
  fc.record({ ...members, type: text, commitments: fc.oneof(data, times) }),
);

const genesis: fc.Arbitrary<GenesisEntry> = fc.record({
  ledger: text,
  organisation: text,
  mode: fc.constantFrom('live' as const, 'test' as const),
  chain: fc.constantFrom('decisions' as const, 'activity' as const),
  epoch: count,
  created_at: time,
});

describe('Entry vectors', () => {
  test.each(vectors.whole)(
    'The entry of the vector $name has the pinned bytes',
    ({ type, fields, entry, hash }) => {
      const write = Object.entries(writers).find(([known]) => known === type)?.[1];
      expect(write?.(fields)).toBe(entry);
      expect(leafHash(entry)).toBe(hash);
      expect(readEntry(entry)).toEqual({ _type: type, ...fields });
    },
  );

  test.each(vectors.refused)('The entry of the vector $name is refused', ({ entry }) => {
    expect(entry).not.toBe('');
    expect(() => readEntry(entry)).toThrow(EntryError);
  });
});

describe('Entries of any content', () => {
  function check<E extends object>(type: string, entry: E, written: string): void {
    expect(written).toBe(canonicalJson(pretend({ ...entry, _type: type })));
    const back = readEntry(written);
    expect(canonicalJson(pretend(back))).toBe(written);
    expect(back._type).toBe(type);
  }

  test('A decision entry is canonical JSON with its type and reads back', () => {
    fc.assert(fc.property(decision, (e) => check(DECISION_TYPE, e, decisionEntry(e))));
  });

  test('An activity entry is canonical JSON with its type and reads back', () => {
    fc.assert(fc.property(activity, (e) => check(ACTIVITY_TYPE, e, activityEntry(e))));
  });

  test('A genesis entry is canonical JSON with its type and reads back', () => {
    fc.assert(fc.property(genesis, (e) => check(GENESIS_TYPE, e, genesisEntry(e))));
  });
});

describe('Invalid entries', () => {
  const [whole] = fc.sample(decision, { numRuns: 1, seed: 1 });
  const wrong: [string, Partial<DecisionEntry>][] = [
    ['confidence that is not a number', { confidence: Number.NaN }],
    ['infinite confidence', { confidence: Number.POSITIVE_INFINITY }],
    ['seq zero', { seq: 0 }],
    ['seq with a fraction', { seq: 1.5 }],
    ['seq beyond 2^53-1', { seq: 2 ** 53 }],
    ['epoch zero', { epoch: 0 }],
    ['short previous hash', { prev_hash: 'ab' }],
    ['upper-case previous hash', { prev_hash: 'A'.repeat(64) }],
    ['time without milliseconds', { timestamp: '2025-01-01T00:00:00Z' }],
    ['time with an offset', { created_at: '2025-01-01T00:00:00.000+00:00' }],
    ['commitment of another length', { commitments: { inputs: 'abc' } }],
    ['lone surrogate', { agent_id: 'a\ud800' }],
    ['lone surrogate after a backslash', { action_type: '\\\udc00' }],
  ];

  test.each(wrong)('An entry with an invalid member is not written: %s', (_name, change) => {
    expect(() => decisionEntry({ ...present(whole), ...change })).toThrow(TypeError);
  });
});

describe('The times of an activity', () => {
  const [dated, undated] = [typesAbout('link'), typesAbout('key')].map(([type = '']) => type);
  const [whole] = fc.sample(fc.record({ ...members, type: text, commitments: times }), {
    numRuns: 1,
    seed: 1,
  });
  const { when } = present(whole).commitments;

  test.each([
    ['without them, of a link', dated, {}, 'no commitment "when"'],
    ['with them, of a key', undated, { when }, 'a commitment "when"'],
  ])('An entry %s is neither written nor read', (_about, type = '', commitments, problem) => {
    const entry = { ...present(whole), type, commitments };
    expect(() => activityEntry(entry)).toThrow('commitments.when');
    const text = canonicalJson(pretend({ ...entry, _type: ACTIVITY_TYPE }));
    expect(() => readEntry(text)).toThrow(problem);
  });
});

test('An error names the wrong member', () => {
  const entry = vectors.whole.find(({ type }) => type === DECISION_TYPE)?.entry ?? '';
  const without = entry.replace(/"agent_id":"[^"]*",/, '');
  expect(() => readEntry(without)).toThrow('The entry has no member agent_id.');
  const extra = entry.replace('"epoch"', '"each":1,"epoch"');
  expect(() => readEntry(extra)).toThrow('unknown member "each"');
  const typed = entry.replace('decision/v1', 'decision/v9');
  expect(() => readEntry(typed)).toThrow('member _type is not one of');
});
