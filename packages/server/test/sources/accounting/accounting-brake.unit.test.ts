import { describe, expect, it } from 'vitest';
import { judgePlan, type LiveMonth } from '#server/domains/sources/accounting/rules/brake';
import type { KnownRecord } from '#server/domains/sources/accounting/rules/match';
import type { SourceRecord } from '#server/domains/sources/accounting/rules/source-record';
import {
  decide,
  endedAt,
  marksOf,
  type Proposal,
  type Withheld,
} from '#server/domains/sources/accounting/rules/withhold';

const known = (n: number): KnownRecord => ({
  ...{ key: `Payment/${n}`, fingerprint: 'a', eventId: `event ${n}`, isDeleted: false },
});

function recordOf(n: number, amount: string, currency = 'USD', month = '2026-01'): SourceRecord {
  return {
    ...{ name: `Payment/${n}`, identity: 'id', fingerprint: amount, where: 'x' },
    event: { event_type: 'payment', amount, currency, timestamp: `${month}-05T00:00:00.000Z` },
  };
}

/** Events of 1 USD in each of two months, as many as said. */
function live(january: number, february: number): LiveMonth[] {
  const month = (name: string, events: number) => ({
    ...{ month: name, currency: 'USD', events, net: `${events}`, gross: `${events}` },
  });
  return [month('2026-01', january), month('2026-02', february)];
}

function judge(
  gone: readonly number[],
  months: LiveMonth[],
  {
    changed = [],
    created = [],
    month = '2026-01',
    confirmed = [],
  }: {
    changed?: SourceRecord[];
    created?: SourceRecord[];
    month?: string;
    confirmed?: number[];
  } = {},
) {
  const affected = Array.from({ length: 1000 }, (_none, n) => {
    const timestamp = `${month}-05T00:00:00.000Z`;
    const isConfirmed = confirmed.includes(n);
    return [`event ${n}`, { amount: '1', currency: 'USD', timestamp, isConfirmed }] as const;
  });
  const plan = {
    gone: gone.map(known),
    changed: changed.map((record) => {
      const former = known(Number(record.name.slice(8)));
      return { key: former.key, former, record };
    }),
    created: created.map((record) => ({ key: record.name, record })),
    revived: [],
  };
  return judgePlan(plan, months, new Map(affected));
}

describe('Brake', () => {
  it('More than a tenth of the events, and at least three, are not deleted at once', () => {
    expect(judge([1, 2], live(10, 5)).reasons).toEqual([]);
    expect(judge([1, 2, 3], live(10, 20)).reasons).toEqual([]);
    expect(judge([1, 2, 3], live(10, 19)).reasons).toEqual(['deletions', 'sums']);
    expect(judge([1, 2, 3], live(10, 19)).sums).toEqual([
      { currency: 'USD', before: '29', after: '26' },
    ]);
  });

  it('A month is not emptied at once, unless something is recorded in it', () => {
    expect(judge([1], live(1, 99))).toMatchObject({ reasons: ['month'], months: ['2026-01'] });
    expect(judge([1], live(2, 99)).reasons).toEqual([]);
    expect(judge([1], live(1, 99), { created: [recordOf(7, '2')] }).reasons).toEqual([]);
    const elsewhere = [recordOf(7, '2', 'USD', '2026-02')];
    expect(judge([1], live(1, 99), { created: elsewhere }).reasons).toEqual(['month']);
  });

  it('An event with a confirmed link is not deleted at once', () => {
    expect(judge([1, 2], live(50, 50), { confirmed: [2, 9] })).toMatchObject({
      ...{ reasons: ['confirmed'], confirmed: 1 },
    });
  });

  it('More than a tenth of the money of a currency is not changed at once', () => {
    const to = (amount: string, currency?: string) => ({
      changed: [recordOf(1, amount, currency)],
    });
    expect(judge([], live(50, 50), to('11')).reasons).toEqual([]);
    expect(judge([], live(50, 50), to('11.01'))).toMatchObject({
      ...{ reasons: ['sums'], sums: [{ currency: 'USD', before: '100', after: '110.01' }] },
    });
    expect(judge([], live(50, 50), to('-9.01')).reasons).toEqual(['sums']);
    expect(judge([], live(50, 50), to('0.5', 'EUR'))).toMatchObject({
      reasons: ['sums'],
      sums: [
        { currency: 'EUR', before: '0', after: '0.5' },
        { currency: 'USD', before: '100', after: '99' },
      ],
    });
    // Two changes that cancel each other are changes.
    const swapped = [recordOf(1, '7'), recordOf(2, '-5')];
    expect(judge([], live(50, 50), { changed: swapped }).reasons).toEqual(['sums']);
  });

  it('A changed description, and what is new, are never withheld', () => {
    const created = [recordOf(500, '1000000')];
    expect(judge([], live(1, 0), { changed: [recordOf(1, '1')], created })).toEqual({
      ...{ reasons: [], confirmed: 0, months: [], sums: [] },
    });
  });
});

const NOW = '2026-04-16T09:30:00.000Z';

function proposal(gone: readonly number[], reasons = ['deletions'] as const): Proposal {
  const marks = marksOf({ gone: gone.map(known), changed: [] });
  const brake = { reasons: gone.length === 0 ? [] : reasons, confirmed: 0, months: [], sums: [] };
  const counts = { deleted: gone.length, changed: 0, held_back: 0 };
  return { marks, brake, counts, items: [], now: NOW };
}

const released = (stored: Withheld | null): Withheld | null =>
  stored && { ...stored, released_by: 'key_1', is_released: true };

describe('Withheld plans', () => {
  const first = decide(null, proposal([1, 2, 3]), 'confirm').stored;

  it('A plan that the brake stops waits for a person, however often it is found', () => {
    let stored = first;
    for (const polls of [2, 3]) {
      const verdict = decide(stored, proposal([3, 2, 1]), 'confirm');
      expect(verdict).toMatchObject({ isWithheld: true, stored: { plan: first?.plan, polls } });
      stored = verdict.stored;
    }
    expect(decide(released(stored), proposal([1, 2, 3]), 'confirm')).toMatchObject({
      ...{ isWithheld: false, releasedBy: 'key_1' },
    });
  });

  it('With the setting, the second poll that finds it applies it', () => {
    const once = decide(null, proposal([1, 2, 3]), 'apply');
    expect(once.isWithheld).toBe(true);
    expect(decide(once.stored, proposal([1, 2, 3]), 'apply').isWithheld).toBe(false);
    expect(decide(once.stored, proposal([1, 2, 3, 4]), 'apply').isWithheld).toBe(true);
  });

  it('A release is for what was found, or a part of it, and for nothing else', () => {
    expect(decide(released(first), proposal([1, 3]), 'confirm').isWithheld).toBe(false);
    const other = decide(released(first), proposal([1, 2, 4]), 'confirm');
    expect(other).toMatchObject({ isWithheld: true, stored: { polls: 1, is_released: false } });
    expect(other.stored?.plan).not.toBe(first?.plan);
  });

  it('Books that are back end what was withheld, and its release', () => {
    const back = decide(released(first), proposal([]), 'confirm');
    expect(back).toMatchObject({ isWithheld: false, stored: { ended_at: NOW, marks: '' } });
    expect(decide(back.stored, proposal([1, 2, 3]), 'confirm').isWithheld).toBe(true);
    expect(decide(back.stored, proposal([]), 'confirm').stored).toBe(back.stored);
    expect(endedAt(null, NOW)).toBeNull();
  });
});
