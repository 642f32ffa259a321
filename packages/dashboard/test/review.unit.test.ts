import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '#dashboard/pages/review/answers.ts';
import { readDayLog, tallyOf, writeDayLog } from '#dashboard/pages/review/day-log.ts';
import { nameOfEvidence } from '#dashboard/pages/review/evidence-names.ts';
import { nextOf } from '#dashboard/pages/review/next.ts';
import { linesOf, partsOf, sharedTerms } from '#dashboard/pages/review/shared-terms.ts';
import { probabilityOf, stepsOf } from '#dashboard/pages/review/waterfall.ts';

const line = (text: string) => ({ name: 'any', text });

function shownAsShared(text: string, other: string): string[] {
  const shared = sharedTerms([line(text)], [line(other)]);
  return partsOf(text, shared).flatMap((part) => (part.isShared ? [part.text] : []));
}

describe('What an event and a decision share', () => {
  it.each([
    ['Refund of order A-1041', 'A-1041', ['A-1041']],
    ['-49.00', '49', ['-49.00']],
    ['0012.50', '12.5', ['0012.50']],
    ['C-7', 'c-7', ['C-7']],
    ['damaged', 'damaged', ['damaged']],
    ['the order is late', 'the order is damaged', []],
    ['true', 'true', []],
    ['7', '7', []],
    ['order A-1041', 'order A-10411', []],
  ])('Of "%s" and "%s", it is %j', (text, other, expected) => {
    expect(shownAsShared(text, other)).toEqual(expected);
  });

  it('The pieces of a text are the text, for any texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, other) => {
        const shared = sharedTerms([line(text)], [line(`${other} ${text}`)]);
        const parts = partsOf(text, shared);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        let start = 0;
        for (const part of parts) {
          expect(part.start).toBe(start);
          start += part.text.length;
        }
      }),
    );
  });

  it('Each value of a payload has its path', () => {
    const payload = { order: 'A-1', items: [{ sku: 'x' }, null], paid: false };
    expect(linesOf(payload, 'inputs')).toEqual([
      { name: 'inputs.order', text: 'A-1' },
      { name: 'inputs.items.0.sku', text: 'x' },
      { name: 'inputs.items.1', text: 'null' },
      { name: 'inputs.paid', text: 'false' },
    ]);
  });

  it('Of a payload that is large or deep, only a part is shown', () => {
    let deep: unknown = 'end';
    for (let n = 0; n < 10_000; n += 1) deep = { deep };
    expect(linesOf(deep, 'inputs')).toHaveLength(1);
    expect(linesOf(Array.from({ length: 5000 }, String), 'inputs')).toHaveLength(80);
    expect(linesOf('x'.repeat(10_000), 'inputs')[0]?.text).toHaveLength(401);
  });
});

describe('The evidence of a candidate', () => {
  it('Each step begins where the one before ended, and the last one is the probability', () => {
    const steps = stepsOf({ base: -2, ledger: 0, amount_equal: 3.5, time: 0.5 });
    expect(steps.map(({ before, after }) => [before, after])).toEqual([
      [0, -2],
      [-2, 1.5],
      [1.5, 2],
    ]);
    expect(probabilityOf(steps.at(-1)?.after ?? 0)).toBeCloseTo(0.8808, 4);
  });

  it('Every piece of evidence of the model has a name of its own', () => {
    const names = FEATURES.map(({ name }) => nameOfEvidence(name));
    expect(new Set(names).size).toBe(FEATURES.length);
    for (const { name } of FEATURES) expect(nameOfEvidence(name)).toMatch(/^[A-Z]/);
  });
});

describe('The next event to review', () => {
  it.each([
    [[1, 0, 1], 0, 2],
    [[1, 0, 0], 2, 0],
    [[0, 0, 0], 1, 1],
    [[], 0, 0],
  ])('Of %j, after %i, it is %i', (items, from, expected) => {
    expect(nextOf(items, from, (item) => item === 1)).toBe(expected);
  });
});

class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();
  readonly length = 0;
  getItem = (name: string) => this.#items.get(name) ?? null;
  setItem = (name: string, value: string) => void this.#items.set(name, value);
  removeItem = (name: string) => void this.#items.delete(name);
  clear = () => this.#items.clear();
  key = () => null;
}

const OWNER = { ledgerId: 'led_1', person: 'Ada' };

function stepOf(kind: Step['kind'], amount: string, currency = 'EUR'): Step {
  return { kind, eventId: `evt_${amount}`, amount, currency, links: ['lnk_1'] };
}

describe('The answers of a day', () => {
  it('Decided events are counted and summed by currency, exactly', () => {
    const steps = [
      stepOf('cause', '0.10'),
      stepOf('none', '0.20'),
      stepOf('cause', '5', 'USD'),
      stepOf('skipped', '100'),
      stepOf('rejected', '100'),
    ];
    expect(tallyOf(steps)).toEqual({
      decided: 3,
      sums: [
        { currency: 'EUR', amount: '0.30' },
        { currency: 'USD', amount: '5' },
      ],
    });
  });

  it('They are kept for the day, the ledger and the person, and nobody else', () => {
    const storage = new MemoryStorage();
    const log = { day: '2026-11-23', steps: [stepOf('cause', '1.00')] };
    writeDayLog(storage, OWNER, log);
    expect(readDayLog(storage, OWNER, '2026-11-23')).toEqual(log);
    expect(readDayLog(storage, OWNER, '2026-11-24').steps).toEqual([]);
    expect(readDayLog(storage, { ...OWNER, person: 'Bob' }, '2026-11-23').steps).toEqual([]);
    expect(readDayLog(storage, { ...OWNER, ledgerId: 'led_2' }, '2026-11-23').steps).toEqual([]);
  });

  it.each(['', '[]', '{', '{"day":"2026-11-23","steps":[{"kind":"cause"}]}'])(
    'A stored text that is none of its own counts as empty: %s',
    (text) => {
      const storage = new MemoryStorage();
      writeDayLog(storage, OWNER, { day: '2026-11-23', steps: [] });
      storage.setItem('decision-ledger.reviewed.led_1.Ada', text);
      expect(readDayLog(storage, OWNER, '2026-11-23').steps).toEqual([]);
    },
  );
});
