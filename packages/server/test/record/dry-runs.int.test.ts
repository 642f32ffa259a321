import { ExposureAnalysis, Pnl } from '@decision-ledger/contract/analytics';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { PairedMovement, ReportedEvent } from '@decision-ledger/contract/financial-event';
import { Link, MadeLink, ReviewedLink } from '@decision-ledger/contract/link';
import { ReviewAnswer } from '@decision-ledger/contract/review';
import { SameMoneyPage } from '@decision-ledger/contract/same-money';
import { SettingsChange } from '@decision-ledger/contract/settings-forms';
import { Big } from 'big.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runNow } from '#server/domains/judgement/liability/nightly-run';
import { dataOf, decision, expectRefusal } from '../support/client.js';
import { followLogs } from '../support/followers.js';
import { link, recordEvent } from '../support/money.js';
import {
  contents,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../support/service.js';
import { onlySuggestion, openDesk } from '../support/suggestions-desk.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
});
afterAll(() => bed.close());

const MATRIX = {
  liability: { matrix: { refund: { likelihood: 'near_certain', severity: 'critical' } } },
};

async function exposureNow(client = org.live) {
  return dataOf(await client.get('/analytics/liability'), ExposureAnalysis);
}

async function decide(action_type: string, amount: number): Promise<string> {
  const body = decision({ action_type, outputs: { amount, currency: 'USD' } });
  return dataOf(await org.live.post('/decisions', body), DecisionReceipt, 201).decision_id;
}

const runNight = async () =>
  runNow(bed.service.db.ledger(await scopeOf(bed, org.live)), bed.service, () => undefined);

describe('A dry run of the settings', () => {
  const trial = async (patch: object) => {
    const answer = await org.live.patch('/settings?dry_run=true', patch);
    const { dry_run, ...settings } = dataOf(answer, SettingsChange);
    if (dry_run === undefined) throw new Error('the dry run shows no effect');
    return { dry_run, settings };
  };

  it('The exposure that it shows is what the next night finds after the change, and it writes nothing', async () => {
    for (let n = 1; n <= 7; n += 1) await decide('refund', 100 * n);
    for (let n = 1; n <= 3; n += 1) await decide('book_flight', 70 * n);
    await runNight();
    const former = await exposureNow();
    const before = await contents(bed);
    const { dry_run, settings } = await trial(MATRIX);
    expect(await contents(bed)).toBe(before);
    expect(settings.liability.matrix).toMatchObject(MATRIX.liability.matrix);
    expect(dry_run).toMatchObject({ decisions: 10, changed: 7, examined: 10 });
    expect(dry_run.exposure_before).toBe(former.aggregate.expected);
    dataOf(await org.live.patch('/settings', MATRIX), SettingsChange);
    await runNight();
    const after = await exposureNow();
    expect(dry_run.exposure_after).toBe(after.aggregate.expected);
    expect(dry_run.exposure_after).not.toBe(dry_run.exposure_before);
    const types = dry_run.by_action_type.map((row) => [
      row.action_type,
      row.decisions,
      row.changed,
    ]);
    expect(types).toEqual([
      ['refund', 7, 7],
      ['book_flight', 3, 0],
    ]);
    const pools = after.by_action_type.map((row) => [row.action_type, row.exposure]);
    const shown = dry_run.by_action_type.map((row) => [row.action_type, row.exposure_after]);
    expect(pools.sort()).toEqual(shown.sort());
  });

  it('Settings that are not valid are refused as usual', async () => {
    const patch = { liability: { matrix: { refund: { likelihood: 2, severity: 'minor' } } } };
    const refused = await org.live.patch('/settings?dry_run=true', patch);
    expectRefusal(refused, 'validation_error', 'liability.matrix.refund.likelihood');
    const shared = { rate_limits: { read_per_second: 5 } };
    expectRefusal(await org.test.patch('/settings?dry_run=true', shared), 'forbidden');
    const odd = await org.live.patch('/settings?dry_run=1', {});
    expectRefusal(odd, 'validation_error', 'dry_run');
  });

  it('A ledger without decisions has no exposure to change', async () => {
    const { dry_run } = await trial(MATRIX);
    const none = { decisions: 0, changed: 0, examined: 0, by_action_type: [] };
    expect(dry_run).toMatchObject({ ...none, exposure_before: '0.00', exposure_after: '0.00' });
  });

  it('With dry_run=false the settings change', async () => {
    const answer = await org.live.patch('/settings?dry_run=false', { base_currency: 'EUR' });
    expect(dataOf(answer, SettingsChange)).toMatchObject({ base_currency: 'EUR' });
    expect(dataOf(answer, SettingsChange).dry_run).toBeUndefined();
  });
});

describe('A dry run of a review', () => {
  /** An event with one suggested link, and a decision whose exposure follows from it. */
  async function suggestion() {
    const desk = await openDesk(bed, org.live);
    const others = Array.from({ length: 10 }, (_none, index) => `OTHER-${index}`);
    await desk.decide(...others.map((order) => ({ metadata: { order_id: order } })));
    await desk.decide({ metadata: { order_id: 'ORD-77' }, outputs: { amount: 90 } });
    const event = await desk.happen({ metadata: { order_id: 'ORD-77' }, amount: '-90.00' });
    await desk.look();
    return onlySuggestion(desk, event);
  }

  const net = async () => {
    const pnl = dataOf(await org.live.get('/analytics/ai-pnl'), Pnl);
    return new Big(pnl.net_ai_impact);
  };

  it.for(['confirm', 'reject'] as const)(
    'The effect that it shows is that of the review, and it writes nothing: %s',
    async (review) => {
      const link = await suggestion();
      const [netBefore, exposureBefore] = [await net(), (await exposureNow()).aggregate.expected];
      const before = await contents(bed);
      const tried = await org.live.post(`/links/${link.id}/${review}?dry_run=true`, '');
      expect(await contents(bed)).toBe(before);
      const { dry_run, ...shown } = dataOf(tried, ReviewedLink);
      const done = dataOf(await org.live.post(`/links/${link.id}/${review}`, ''), Link);
      expect(shown.status).toBe(done.status);
      expect(shown.correlation_strength).toBe(done.correlation_strength);
      if (dry_run === undefined) throw new Error('the dry run shows no effect');
      const moved = new Big(dry_run.net_after).minus(dry_run.net_before);
      expect(moved.toFixed(2)).toBe((await net()).minus(netBefore).toFixed(2));
      const change = new Big(dry_run.exposure_after).minus(dry_run.exposure_before);
      const exposureAfter = (await exposureNow()).aggregate.expected;
      expect(change.toFixed(2)).toBe(new Big(exposureAfter).minus(exposureBefore).toFixed(2));
      expect(dry_run.unconverted).toBe(false);
      if (review === 'confirm') expect(dry_run.net_after).toBe('-90.00');
    },
  );

  it.for(['suggested', 'near miss'] as const)(
    'The effect of an answer is shown for a candidate with a link and without: %s',
    async (candidate) => {
      const link = await suggestion();
      const other = await decide('refund', 500);
      const decision_id = candidate === 'suggested' ? link.decision_id : other;
      const path = `/reviews/${link.financial_event_id}`;
      const [netBefore, exposureBefore] = [await net(), (await exposureNow()).aggregate.expected];
      const before = await contents(bed);
      const tried = await org.live.post(`${path}?dry_run=true`, { decision_id });
      expect(await contents(bed)).toBe(before);
      const { dry_run, link: shown } = dataOf(tried, ReviewAnswer);
      const done = dataOf(await org.live.post(path, { decision_id }), ReviewAnswer);
      expect(done.dry_run).toBeUndefined();
      expect(shown?.status).toBe(done.link?.status);
      expect(shown?.decision_id).toBe(decision_id);
      if (dry_run === undefined) throw new Error('the dry run shows no effect');
      const moved = new Big(dry_run.net_after).minus(dry_run.net_before);
      expect(moved.toFixed(2)).toBe((await net()).minus(netBefore).toFixed(2));
      const change = new Big(dry_run.exposure_after).minus(dry_run.exposure_before);
      const exposureAfter = (await exposureNow()).aggregate.expected;
      expect(change.toFixed(2)).toBe(new Big(exposureAfter).minus(exposureBefore).toFixed(2));
    },
  );

  it('An answer that would be refused is refused', async () => {
    const link = await suggestion();
    const path = `/reviews/${link.financial_event_id}?dry_run=true`;
    expectRefusal(await org.live.post(path, {}), 'validation_error', 'decision_id');
    const unknown = { decision_id: 'dec_01kpat0fe0ec88qqtsarzj0nhh' };
    expectRefusal(await org.live.post(path, unknown), 'not_found');
    dataOf(await org.live.post(`/links/${link.id}/confirm`, ''), Link);
    expectRefusal(await org.live.post(path, { none: true }), 'invalid_state');
  });

  it('A review that would be refused is refused', async () => {
    const link = await suggestion();
    dataOf(await org.live.post(`/links/${link.id}/reject`, ''), Link);
    const again = await org.live.post(`/links/${link.id}/confirm?dry_run=true`, '');
    expectRefusal(again, 'invalid_state');
    const missing = await org.live.post(
      '/links/lnk_01kpat0fe0ec88qqtsarzj0nhh/confirm?dry_run=true',
      '',
    );
    expectRefusal(missing, 'not_found');
  });
});

const SALE = { event_type: 'sale', amount: '19.90', timestamp: '2026-03-10T12:00:00.000Z' };

async function movementOf(id: string): Promise<readonly string[]> {
  return dataOf(await org.live.get(`/financial-events/${id}`), ReportedEvent).movement.reports;
}

describe('A dry run of a pairing', () => {
  it('The lead and the counted money that it shows are those of the pairing, and it writes nothing', async () => {
    const shop = await recordEvent(org.live, { ...SALE, source: 'shop', amount: '20.50' });
    const charge = await recordEvent(org.live, { ...SALE, source: 'stripe', currency: 'EUR' });
    const reports = [shop.id, charge.id];
    const before = await contents(bed);
    const tried = await org.live.post('/movements/pair?dry_run=true', { reports });
    expect(await contents(bed)).toBe(before);
    const { dry_run, ...shown } = dataOf(tried, PairedMovement);
    expect(dry_run).toEqual({
      counted_before: [
        { currency: 'EUR', amount: '19.9' },
        { currency: 'USD', amount: '20.5' },
      ],
      counted_after: [
        { currency: 'EUR', amount: '19.9' },
        { currency: 'USD', amount: '0' },
      ],
    });
    const made = dataOf(await org.live.post('/movements/pair', { reports }), PairedMovement);
    expect(made).toEqual({ lead: charge.id, reports: reports.toSorted() });
    expect(shown).toEqual(made);
  });

  it('A pairing that would be refused is refused', async () => {
    const { id } = await recordEvent(org.live, SALE);
    const path = '/movements/pair?dry_run=true';
    expectRefusal(await org.live.post(path, { reports: [id, id] }), 'validation_error', 'reports');
    const unknown = 'evt_01kpat0fe0ec88qqtsarzj0nhh';
    expectRefusal(await org.live.post(path, { reports: [id, unknown] }), 'not_found');
  });
});

describe('A dry run of a link to money that is linked to another decision', () => {
  /** A pair of reports, one of them linked. */
  async function linkedPair(external_id: string, isByRule: boolean) {
    const own = isByRule ? { external_id } : {};
    const charge = await recordEvent(org.live, { ...SALE, ...own, source: 'stripe' });
    const order = await recordEvent(org.live, { ...SALE, ...own, source: 'shop' });
    if (!isByRule) await org.live.post('/movements/pair', { reports: [charge.id, order.id] });
    await followLogs(bed.service);
    expect(await movementOf(order.id)).toHaveLength(2);
    const [first, second] = [await decide('sell', 10), await decide('advise', 10)];
    const full = { correlation_strength: 1 };
    dataOf(await org.live.post('/links', link(first, charge.id, full)), Link, 201);
    return { charge: charge.id, order: order.id, second };
  }

  const net = async () => dataOf(await org.live.get('/analytics/ai-pnl'), Pnl).net_ai_impact;
  const preview = async (decision_id: string, event: string) => {
    const body = link(decision_id, event, { correlation_strength: 1 });
    const before = await contents(bed);
    const { dry_run, event_links } = dataOf(
      await org.live.post('/links?dry_run=true', body),
      MadeLink,
    );
    expect(await contents(bed)).toBe(before);
    return { dry_run, links: event_links?.length, body };
  };

  it('Where a rule paired the reports, it says that they part and both count, as they then do', async () => {
    const { charge, order, second } = await linkedPair('A-10041', true);
    const { dry_run, links, body } = await preview(second, order);
    expect(dry_run).toMatchObject({ net_before: '19.90', net_after: '39.80', parted: [charge] });
    expect(links).toBe(1);
    const shared = await preview(second, charge);
    expect(shared.dry_run).toMatchObject({ net_before: '19.90', net_after: '19.90', parted: [] });
    expect(shared.links).toBe(2);
    dataOf(await org.live.post('/links', body), Link, 201);
    await followLogs(bed.service);
    expect(await movementOf(order)).toEqual([order]);
    expect(await net()).toBe('39.80');
    const queue = dataOf(await org.live.get('/movements/same-money'), SameMoneyPage);
    expect([queue.open, queue.open_amounts]).toEqual([2, [{ currency: 'USD', amount: '39.80' }]]);
  });

  it('Where a person paired them, they share the money between both decisions', async () => {
    const { order, second } = await linkedPair('', false);
    const { dry_run, links, body } = await preview(second, order);
    expect(dry_run).toMatchObject({ net_before: '19.90', net_after: '19.90', parted: [] });
    expect(links).toBe(2);
    dataOf(await org.live.post('/links', body), Link, 201);
    await followLogs(bed.service);
    expect(await movementOf(order)).toHaveLength(2);
    expect(await net()).toBe('19.90');
  });
});
