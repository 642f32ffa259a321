import { holdsRecords, EXPORT_TYPES as KINDS } from '@decision-ledger/proof/bundle/format';
import { describe, expect, it } from 'vitest';
import { formatBytes } from '#dashboard/format/numbers.ts';
import { currentQuarter, daysOf, EXPORT_TYPES } from '#dashboard/pages/evidence/export-choices.ts';
import {
  type Finding,
  recordOf,
  sentenceOf,
  verifierCommand,
} from '#dashboard/pages/evidence/verification-words.ts';

describe('The range of an export', () => {
  it('A basis is offered for each type that the API accepts it for', () => {
    expect(KINDS.filter((type) => EXPORT_TYPES[type].hasDecisions)).toEqual(
      KINDS.filter(holdsRecords),
    );
  });

  it('An end that excludes its instant is shown as the day before', () => {
    const range = { start_date: '2026-01-01T00:00:00.000Z', end_date: '2026-04-01T00:00:00.000Z' };
    expect(daysOf(range)).toEqual({ first: '2026-01-01', last: '2026-03-31' });
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01'],
    ['2026-03-31T23:59:59Z', '2026-01-01'],
    ['2026-11-23T08:00:00Z', '2026-10-01'],
  ])('A form at %s begins with the quarter of that day', (time, first) => {
    expect(currentQuarter(Date.parse(time))).toEqual({ first, last: time.slice(0, 10) });
  });

  it('The size of a file has the unit that keeps it short', () => {
    expect(formatBytes(16_640, 'en-GB')).toBe('16.6 kB');
    expect(formatBytes(3_612_000, 'en-GB')).toBe('3.6 MB');
  });
});

describe('The finding of a verification', () => {
  const finding: Finding = {
    ...{ seq: 17, decision_id: null, kind: 'gap', expected: 17, actual: 18, detail: 'no row' },
  };

  it('A sentence names the position, the kind and the detail', () => {
    expect(sentenceOf(finding)).toBe('Position 17: A record is missing (no row).');
  });

  it('A record that is gone has no id to open', () => {
    expect(recordOf(finding)).toBeNull();
  });
});

describe('The command of the verifier', () => {
  it('It pins the current key, or says where the fingerprint goes', () => {
    expect(verifierCommand('ab12')).toContain('--key-fingerprint ab12');
    expect(verifierCommand(undefined)).toContain('--key-fingerprint FINGERPRINT');
  });
});
