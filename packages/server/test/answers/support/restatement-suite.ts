import {
  type ClosedMonth,
  type Explanation,
  MonthPage,
} from '@decision-ledger/contract/analytics-months';
import { Link } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { closings } from '#server/domains/answers/analytics/index';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import type { DueFollower } from '#server/platform/followers/follower';
import { following } from '#server/platform/followers/runner';
import { type Client, dataOf } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { link, recordDecision, recordEvent } from '../../support/money.js';
import { scopeOf, type TestService } from '../../support/service.js';
import { type Fraction, NOTHING, negative, parse, plus, total } from './fraction.js';

const DAY_MS = 86_400_000;
const MONTH = '2026-03';
const SALE = { event_type: 'payment', amount: '100', currency: 'USD', metadata: {} };
const BOOKED = { ...SALE, source: 'accounting/main', timestamp: '2026-03-12T00:00:00.000Z' };
const CHARGED = { ...SALE, source: 'stripe', timestamp: '2026-03-10T12:00:00.000Z' };
const named = (reference: string, fields: object) => ({ ...fields, external_id: reference });

type Restated = ClosedMonth['restatements'][number];

/** Reasons without their records, with figures by name. */
const reasonsOf = ({ reasons }: Explanation) =>
  Object.fromEntries(
    reasons.map(({ type, figures }) => [
      type,
      Object.fromEntries(figures.map(({ figure, amount }) => [figure, amount])),
    ]),
  );

const same = (one: Fraction, other: Fraction) => plus(one, negative(other)).n === 0n;

/** The reasons of a restatement sum to each change, exactly. */
function expectExplained({ changes, explanation }: Restated, place?: string): void {
  const amounts = changes.filter(({ figure }) => figure !== 'currency');
  for (const { figure, before, after } of amounts) {
    const parts = explanation.reasons.flatMap(({ figures }) =>
      figures.filter((one) => one.figure === figure).map(({ amount }) => parse(amount)),
    );
    const difference = plus(parse(after ?? '0'), negative(parse(before ?? '0')));
    expect(same(total(parts), difference), `${place} ${figure}`).toBe(true);
  }
}

/** The causes that are listed, if all are, sum to what the reasons say of the totals. */
function expectListed({ explanation }: Restated, place: string): void {
  expect(explanation.causes_left_out, place).toBe(0);
  const ofEvents = explanation.reasons.filter(({ changes }) => changes > 0);
  const figure = 'by_currency.USD.total';
  const said = ofEvents.flatMap(({ figures }) =>
    figures.filter((one) => one.figure === figure).map(({ amount }) => parse(amount)),
  );
  const listed = explanation.causes.map(({ before, after }) =>
    plus(parse(after?.counted_amount ?? '0'), negative(parse(before?.counted_amount ?? '0'))),
  );
  expect(same(total(said), total(listed)), place).toBe(true);
  expect(ofEvents.reduce((sum, { changes }) => sum + changes, 0)).toBe(explanation.causes.length);
}

/** What restatements say of why the figures of a closed month changed. */
export function restatementSuite(bedOf: () => TestService): void {
  let client: Client;

  beforeEach(async () => {
    client = (await bedOf().organisation()).live;
  });

  const follow = async () => {
    const { ledgerId } = await scopeOf(bedOf(), client);
    await followLogs(bedOf().service, [ledgerId]);
  };
  const night = async () => {
    bedOf().clock.advance(DAY_MS);
    await follow();
  };
  const march = async () => {
    const answer = await client.get(`/analytics/months?month=${MONTH}`);
    const [month] = dataOf(answer, MonthPage).months;
    if (month === undefined) throw new Error('March is open');
    return month;
  };
  const last = async (): Promise<Restated> => {
    const restated = (await march()).restatements.at(-1);
    if (restated === undefined) throw new Error('March was not restated');
    return restated;
  };
  const record = async (fields: object) => (await recordEvent(client, { ...fields })).id;
  const confirm = async (event: string, correlation_strength = 1) => {
    const body = link(await recordDecision(client), event, { correlation_strength });
    return dataOf(await client.post('/links', body), Link, 201).id;
  };

  it('A link of the payment that is made later restates the month of its refund, which names the payment', async () => {
    const payment = await record({
      ...named('ch_2', CHARGED),
      ...{ event_type: 'charge', timestamp: '2026-02-10T12:00:00.000Z' },
    });
    const metadata = { stripe_charge: 'ch_2' };
    const refund = await record({ ...CHARGED, event_type: 'refund', amount: '-40', metadata });
    await follow();
    expect((await march()).closed).not.toBeNull();
    await confirm(payment, 0.5);
    await night();
    const { changes, explanation } = await last();
    const change = changes.find(({ figure }) => figure === 'confirmed.net');
    expect(change).toMatchObject({ before: '0.00', after: '-20.00' });
    expect(reasonsOf(explanation)['link.inherited']).toMatchObject({ 'confirmed.net': '-20' });
    expect(explanation.causes).toMatchObject([
      {
        financial_event_id: refund,
        records: [{ type: 'link.inherited', actor: 'engine', other: payment }],
      },
    ]);
  });

  it('A witness that arrives a month later restates the month, which names the pairing and the rule', async () => {
    const booking = await record(named('INV-1001', BOOKED));
    await confirm(booking);
    await follow();
    const { closed } = await march();
    await night();
    expect((await march()).restatements).toEqual([]);
    const charge = await record(named('INV-1001', { ...CHARGED, amount: '100' }));
    await night();
    const { restatements, ...month } = await march();
    expect(month.closed).toEqual(closed);
    // The charge leads: the sum is the same, and nothing is restated.
    expect(restatements).toEqual([]);
    await client.post('/movements/part', { report: booking });
    await night();
    const parted = await last();
    expectExplained(parted);
    expect(reasonsOf(parted.explanation)).toMatchObject({
      'financial_event.recorded': { total: '100', unattributed: '100' },
      'movement.paired': { total: '-100' },
      'movement.parted': { total: '100' },
    });
    const causes = new Map(
      parted.explanation.causes.map((one) => [
        `${one.financial_event_id} ${one.records[0]?.type}`,
        one,
      ]),
    );
    expect(causes.get(`${booking} movement.paired`)).toMatchObject({
      before: { counted_amount: '100', links: [{ label: 'confirmed', link_type: 'revenue' }] },
      after: { counted_amount: '0', links: [] },
      records: [
        { actor: 'engine', by: 'rule', rule: 'same_reference', lead: charge, other: charge },
      ],
    });
    expect(causes.get(`${booking} movement.parted`)).toMatchObject({
      before: { counted_amount: '0' },
      after: { counted_amount: '100' },
      records: [{ by: 'person', subject: booking, lead: booking }],
    });
    expect(causes.get(`${charge} financial_event.recorded`)).toMatchObject({
      ...{ before: null, after: { counted_amount: '100', links: [] }, currency: 'USD' },
      records: [{ subject: charge, by: null, rule: null }],
    });
  });

  it('A booking of April that states the tax of a sale of March restates March, which names the booking', async () => {
    const charge = await record(named('INV-1001', { ...CHARGED, amount: '119' }));
    await follow();
    const transaction = { currency: 'USD', total: '119', untaxed: '100', tax: '19' };
    const booking = await record(
      named('INV-1001', {
        ...{ ...BOOKED, amount: '100', timestamp: '2026-04-02T00:00:00.000Z' },
        metadata: { account: 'income', transaction },
      }),
    );
    await night();
    const { closed, restatements } = await march();
    expect([closed.total, restatements.map(({ figures }) => figures.total)]).toEqual([
      '119.00',
      ['100.00'],
    ]);
    const untaxed = await last();
    expectExplained(untaxed);
    expect(reasonsOf(untaxed.explanation)).toMatchObject({ 'movement.paired': { total: '-19' } });
    expect(untaxed.explanation.causes).toMatchObject([
      {
        ...{ financial_event_id: charge, before: { counted_amount: '119' } },
        ...{ after: { counted_amount: '100' }, records: [{ by: 'rule', other: booking }] },
      },
    ]);
  });

  it('A sale that counted twice until a person pairs it counts once, and the first figures stay', async () => {
    const [one, other] = [await record(BOOKED), await record({ ...CHARGED, amount: '103' })];
    await follow();
    const { closed } = await march();
    await client.post('/movements/pair', { reports: [one, other] });
    await night();
    expect((await march()).closed).toEqual(closed);
    const paired = await last();
    expectExplained(paired);
    expect(reasonsOf(paired.explanation)).toEqual({
      'movement.paired': {
        ...{ total: '-100', unattributed: '-100' },
        ...{ 'by_currency.USD.total': '-100', 'by_currency.USD.unattributed': '-100' },
      },
    });
    expect(paired.explanation.causes).toMatchObject([
      { financial_event_id: one, records: [{ by: 'person', lead: other, other }] },
    ]);
    // The lead goes: its witness counts, by a deletion that parts them.
    await client.delete(`/financial-events/${other}`);
    await night();
    const deleted = await last();
    expectExplained(deleted);
    expect(reasonsOf(deleted.explanation)).toMatchObject({
      'financial_event.deleted': { total: '-103' },
      'movement.parted': { total: '100' },
    });
    expect(deleted.explanation.causes.map(({ records }) => records[0]?.by)).toEqual([
      null,
      'deletion',
    ]);
    expect((await march()).restatements).toHaveLength(2);
  });

  it('Changes of profiles and of rates are named with the change of the settings', async () => {
    await record({ ...BOOKED, source: 'till', event_type: 'sale' });
    await record({ ...SALE, timestamp: '2026-03-05T00:00:00Z', currency: 'EUR' });
    const rate = { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '2' };
    await client.patch('/settings', { exchange_rates: [rate] });
    await follow();
    const kinds = [{ event_types: ['sale'], kind: 'sale', state: 'planned' }];
    const profiles = [{ name: 'Till', source: 'till', kinds }];
    await client.patch('/settings', { attribution: { profiles } });
    await night();
    const planned = await last();
    expectExplained(planned);
    expect(reasonsOf(planned.explanation)).toMatchObject({
      'financial_event.recounted': { total: '-100' },
    });
    expect(planned.explanation.reasons[0]?.records).toMatchObject([{ type: 'settings.changed' }]);
    await client.patch('/settings', { exchange_rates: [{ ...rate, rate: '3' }] });
    await night();
    const converted = await last();
    expectExplained(converted);
    expect(reasonsOf(converted.explanation)).toEqual({
      'settings.changed': { total: '100', unattributed: '100' },
    });
    expect(converted.explanation).toMatchObject({ causes: [], causes_left_out: 0 });
  });

  it('A change between the reading and the closing of a month is named by its first restatement', async () => {
    const booking = await record(BOOKED);
    const scope = await scopeOf(bedOf(), client);
    let made = 0;
    const errors: unknown[] = [];
    const slow: DueFollower = {
      ...closings,
      async advance(ledger, subjects) {
        const step = await closings.advance(ledger, subjects);
        made += 1;
        await confirm(booking, 0.25);
        return step;
      },
    };
    const onError = (error: unknown) => void errors.push(error);
    const run = following({ ...bedOf().service, followers: [slow], onError });
    await run.look([scope.ledgerId]);
    await run.idle();
    expect(errors).toEqual([]);
    // One step keeps what events count with, and one closes the month.
    expect(made).toBe(2);
    const { closed, current } = await march();
    expect(closed.unattributed).not.toBe(current.unattributed);
    await night();
    const restated = await last();
    expectExplained(restated);
    expect(reasonsOf(restated.explanation)).toMatchObject({ 'link.created': {} });
    expect(Object.keys(reasonsOf(restated.explanation))).toEqual(['link.created']);
  });

  it('Of more changes than are listed, the largest are, and the reasons sum up all', async () => {
    await record({ ...BOOKED, amount: '1' });
    await follow();
    for (let n = 1; n <= 23; n += 1) await record({ ...BOOKED, amount: `${n}.10` });
    await night();
    const { explanation, ...restated } = await last();
    expectExplained({ explanation, ...restated });
    expect(explanation.causes).toHaveLength(20);
    expect(explanation).toMatchObject({ causes_left_out: 3, reasons: [{ changes: 23 }] });
    expect(explanation.causes[0]?.after?.counted_amount).toBe('23.1');
  });

  /** What happens to the events of a closed month. */
  const STEP = fc.oneof(
    fc.record({ do: fc.constant('record' as const), cents: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ do: fc.constantFrom('delete', 'link', 'unlink', 'part'), at: fc.nat(30) }),
    fc.record({ do: fc.constant('pair' as const), at: fc.nat(30), other: fc.nat(30) }),
    fc.record({ do: fc.constant('plan' as const), isPlanned: fc.boolean() }),
  );
  const NIGHT = fc.array(STEP, { minLength: 1, maxLength: 6 });
  const WORLD = fc.array(NIGHT, { minLength: 2, maxLength: 4 });
  type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

  async function take(step: Step, events: string[], links: string[]): Promise<void> {
    const at = (place: number) => events[place % events.length] ?? '';
    if ('cents' in step) {
      const isCharge = step.cents % 2 === 0;
      const sum = `${step.cents * 4}.04`;
      const untaxed = `${step.cents * 4 - 1}.04`;
      const transaction = { currency: 'USD', total: sum, untaxed, tax: '1.00' };
      const booking = { ...BOOKED, amount: untaxed, metadata: { account: 'income', transaction } };
      const fields = isCharge ? { ...CHARGED, amount: sum } : booking;
      events.push(await record(named(`R-${1000 + (step.cents % 3)}`, fields)));
    } else if ('other' in step) {
      await client.post('/movements/pair', { reports: [at(step.at), at(step.other)] });
    } else if ('isPlanned' in step) {
      const kinds = [{ event_types: ['*'], kind: 'sale', state: 'planned' }];
      const profiles = step.isPlanned ? [{ name: 'B', source: 'accounting/*', kinds }] : [];
      await client.patch('/settings', { attribution: { profiles } });
    } else if (step.do === 'link') {
      const strength = step.at % 2 === 0 ? 1 : 0.25;
      const body = link(await recordDecision(client), at(step.at), {
        correlation_strength: strength,
      });
      const answer = await client.post('/links', body);
      if (answer.status === 201) links.push(dataOf(answer, Link, 201).id);
    } else if (step.do === 'unlink') {
      await client.delete(`/links/${links[step.at % Math.max(1, links.length)] ?? 'lnk_0'}`);
    } else if (step.do === 'part') {
      await client.post('/movements/part', { report: at(step.at) });
    } else await client.delete(`/financial-events/${at(step.at)}`);
  }

  it('In any world, the reasons of all restatements sum to what changed since the month was closed', async () => {
    let restated = 0;
    const world = async (
      nights: typeof WORLD extends fc.Arbitrary<infer Value> ? Value : never,
    ) => {
      client = (await bedOf().organisation()).live;
      const events = [await record(BOOKED)];
      const links: string[] = [];
      await follow();
      const { closed } = await march();
      for (const steps of nights) {
        for (const step of steps) await take(step, events, links);
        await night();
      }
      const { restatements, current, ...month } = await march();
      expect(month.closed).toEqual(closed);
      expect(restatements.at(-1)?.figures ?? closed).toEqual(current);
      let sum: Fraction = NOTHING;
      for (const one of restatements) {
        expectExplained(one);
        expectListed(one, one.restated_at);
        const types = one.explanation.reasons.map(({ type }) => type);
        // Whole cents leave nothing to be rounded, and no rate has changed.
        for (const none of ['rounding', 'settings.changed', 'unexplained']) {
          expect(types).not.toContain(none);
        }
        const totals = one.explanation.reasons.flatMap(({ figures }) =>
          figures.filter(({ figure }) => figure === 'total').map(({ amount }) => parse(amount)),
        );
        sum = plus(sum, total(totals));
      }
      const difference = plus(parse(current.total ?? ''), negative(parse(closed.total ?? '')));
      expect(same(sum, difference)).toBe(true);
      restated += restatements.length;
      const ledger = bedOf().service.db.ledger(await scopeOf(bedOf(), client));
      expect((await reconcileWithHistory(ledger)).findings).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(WORLD, world), { seed: 27, numRuns: 8, endOnFailure: true });
    expect(restated).toBeGreaterThan(8);
  }, 300_000);
}
