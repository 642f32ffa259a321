import { DecisionBatchReceipt, DecisionReceipt } from '@decision-ledger/contract/decision';
import { Erasure } from '@decision-ledger/contract/erasure';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { SearchPage } from '@decision-ledger/contract/search';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf, decision, expectRefusal } from '../support/client.js';
import { recordEvent } from '../support/money.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';
import { openDesk } from '../support/suggestions-desk.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
});
afterAll(() => bed.close());

const find = async (q: string, more = '') =>
  dataOf(await org.live.get(`/search?q=${encodeURIComponent(q)}${more}`), SearchPage);

const idsOf = ({ results }: SearchPage) => results.map(({ id }) => id);

async function decide(metadata: object, more: object = {}): Promise<string> {
  const answer = await org.live.post('/decisions', decision({ metadata, ...more }));
  return dataOf(answer, DecisionReceipt, 201).decision_id;
}

describe('Search', () => {
  it('A decision and an event are found by their id', async () => {
    const id = await decide({ order_id: 'A-1' });
    const event = await recordEvent(org.live);
    const [found] = (await find(id)).results;
    expect(found).toMatchObject({ type: 'decision', id, matched: ['id'], agent_id: 'agent' });
    const [money] = (await find(event.id)).results;
    expect(money).toMatchObject({ type: 'financial_event', matched: ['id'], deleted_at: null });
    expect(money?.amount).toBe(event.amount);
  });

  it('An event is found by its external id, even if deleted', async () => {
    const { id } = await recordEvent(org.live, { external_id: 'INV 2026/17' });
    dataOf(await org.live.delete(`/financial-events/${id}`), FinancialEvent);
    const { results } = await find('INV 2026/17');
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ id, matched: ['external_id'] });
    expect(results[0]?.deleted_at).not.toBeNull();
  });

  it.for([
    ['a string', 'C-17', 'C-17'],
    ['a word', 'west', 'west'],
    ['a number', '4711', 4711],
    ['a fraction', '0.25', 0.25],
    ['a boolean', 'true', true],
    ['null', 'null', null],
    ['quotes and other signs', 'say "ö" \\ /', 'say "ö" \\ /'],
  ] as const)('Metadata is found by its value whatever its key: %s', async ([, q, value]) => {
    const first = await decide({ one: value, other: 'x' });
    bed.clock.advance(1000);
    const second = await decide({ another_key: value, third: value });
    const event = await recordEvent(org.live, { metadata: { of_an_event: value } });
    await decide({ one: `${value}x`, nested: { one: value }, list: [value] });
    await decide({}, { inputs: { one: value } });
    const { results, next_cursor } = await find(q);
    expect(new Set(results.map(({ id }) => id))).toEqual(new Set([first, second, event.id]));
    expect(results.find(({ id }) => id === second)?.metadata_keys).toEqual([
      'another_key',
      'third',
    ]);
    expect(results.every(({ matched }) => matched.join() === 'metadata')).toBe(true);
    expect(next_cursor).toBeNull();
  });

  it.for([
    ['1,234.50', ['1234.50 CHF', '-1234.5 EUR']],
    ["chf 1'234.50", ['1234.50 CHF']],
    ['1.234,50 EUR', ['-1234.5 EUR']],
    ['CHF 99', ['99.00 CHF']],
    ['99', ['99.00 CHF', '99 EUR']],
    ['1,234', ['1234.00 USD', '1.234 USD']],
    ['CHF 98', []],
  ] as const)('An event is found by its amount: %s', async ([q, expected]) => {
    for (const amount of ['1234.50 CHF', '-1234.5 EUR', '99.00 CHF', '99 EUR', '1234.00 USD']) {
      const [size = '', currency] = amount.split(' ');
      await recordEvent(org.live, { amount: size, currency });
    }
    await recordEvent(org.live, { amount: '1.234', currency: 'USD' });
    const { results } = await find(q);
    expect(new Set(results.map(({ amount, currency }) => `${amount} ${currency}`))).toEqual(
      new Set(expected),
    );
    expect(results.every(({ matched }) => matched.join() === 'amount')).toBe(true);
  });

  it('An event is found by words of its texts, in any order and case, and only in its own ledger', async () => {
    const { id } = await recordEvent(org.live, {
      ...{ external_id: 'INV-2041/b', description: 'Refund to Grünwald & Sons, parcel lost' },
    });
    await recordEvent(org.test, { description: 'Parcel lost' });
    await recordEvent(org.live, { description: 'Parcel found' });
    for (const q of ['PARCEL lost', 'lost refund', 'inv 2041', 'Grünwald']) {
      const { results } = await find(q);
      expect(
        results.map((hit) => hit.id),
        q,
      ).toEqual([id]);
      expect(results[0]).toMatchObject({ matched: ['text'], external_id: 'INV-2041/b' });
    }
    expect((await find('parcels lost')).results).toEqual([]);
    expect((await find('&')).results).toEqual([]);
  });

  it('Pages are newest first and neither skip nor repeat a record', async () => {
    const batch = Array.from({ length: 60 }, (_, n) =>
      decision({ metadata: { customer_id: 'C-9', [`key_${n % 7}`]: n } }),
    );
    const expected: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const answer = await org.live.post('/decisions/batch', { decisions: batch });
      const { decisions } = dataOf(answer, DecisionBatchReceipt, 201);
      expected.push(...decisions.map(({ decision_id }) => decision_id));
    }
    const event = await recordEvent(org.live, { metadata: { customer: 'C-9' } });
    const found: string[] = [];
    const times: string[] = [];
    let more = '';
    for (;;) {
      const page = await find('C-9', `&limit=7${more}`);
      found.push(...idsOf(page));
      times.push(...page.results.map(({ timestamp }) => timestamp));
      if (page.next_cursor === null) break;
      more = `&cursor=${page.next_cursor}`;
    }
    expect(new Set(found).size).toBe(found.length);
    expect([...found].sort()).toEqual([...expected, event.id].sort());
    expect(times).toEqual([...times].sort().reverse());
  });

  it.for([20, 5100])(
    'Of %i decisions with a value, each page has the newest that are left',
    async (count) => {
      const recorded: string[] = [];
      while (recorded.length < count) {
        bed.clock.advance(1000);
        const size = Math.min(100, count - recorded.length);
        // A single word is no identifier, so that the terms alone find it.
        const decisions = Array.from({ length: size }, () =>
          decision({ metadata: { tier: 'gold' } }),
        );
        const answer = await org.live.post('/decisions/batch', { decisions });
        const { decisions: receipts } = dataOf(answer, DecisionBatchReceipt, 201);
        recorded.push(...receipts.map(({ decision_id }) => decision_id));
      }
      await decide({ tier: 'silver' });
      const found: string[] = [];
      let more = '&limit=150';
      for (let page = 0; page < 4; page += 1) {
        const { results, next_cursor } = await find('gold', more);
        found.push(...results.map(({ id }) => id));
        if (next_cursor === null) break;
        more = `&limit=150&cursor=${encodeURIComponent(next_cursor)}`;
      }
      const newest = [...recorded].reverse();
      // Decisions of one batch have one time: those are in the order of their ids.
      const expected = new Set(newest.slice(0, Math.min(count, 600)));
      expect(new Set(found)).toEqual(expected);
      expect((await find('platinum')).results).toEqual([]);
    },
  );

  it('A value under a key that no sample shows is found once its identifiers are extracted', async () => {
    const desk = await openDesk(bed);
    const [rare = ''] = await desk.decide({ metadata: { rare_reference: 'RX-90817' } });
    const common = Array.from({ length: 120 }, (_, n) => [`key_${n}`, n]);
    for (let n = 0; n < 4; n += 1) {
      await desk.decide(
        ...Array.from({ length: 100 }, () => ({ metadata: Object.fromEntries(common) })),
      );
    }
    await desk.happen({ metadata: { order_id: 'ORD-1' } });
    await desk.look();
    const answer = dataOf(await desk.client.get('/search?q=RX-90817'), SearchPage);
    expect(idsOf(answer)).toEqual([rare]);
  });

  it('An erased value is not found', async () => {
    const id = await decide({ passport: 'P-55512' });
    expect(idsOf(await find('P-55512'))).toEqual([id]);
    const body = { fields: ['metadata'], reason: 'asked' };
    dataOf(await org.live.post(`/decisions/${id}/erase`, body), Erasure);
    expect(await find('P-55512')).toEqual({ results: [], next_cursor: null });
    expect(idsOf(await find(id))).toEqual([id]);
  });

  it.for(['', 'x'.repeat(201)])('The text %j is refused', async (q) => {
    const answer = await org.live.get(`/search?q=${q}`);
    expectRefusal(answer, 'validation_error', 'q');
  });

  it('A cursor is valid for its own text alone', async () => {
    await decide({ a: 'same' });
    await decide({ a: 'same' });
    const { next_cursor } = await find('same', '&limit=1');
    const answer = await org.live.get(`/search?q=other&limit=1&cursor=${next_cursor}`);
    expectRefusal(answer, 'malformed_request');
  });
});
