import { Pnl } from '@decision-ledger/contract/analytics';
import { FinancialEventPage, RelatedEvent } from '@decision-ledger/contract/financial-event';
import { SettingsChange } from '@decision-ledger/contract/settings-forms';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { followLogs } from '../support/followers.js';
import { recordEvent } from '../support/money.js';
import { contents, openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;
let client: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
});
afterAll(() => bed.close());

const TILL = { source: 'till/1', event_type: 'sale', amount: '19.90', currency: 'USD' };

const profileOf = (event_type: string, state: string) => ({
  attribution: {
    profiles: [
      {
        name: 'Till',
        source: 'till/*',
        kinds: [{ event_types: [event_type], kind: 'sale', state }],
      },
    ],
  },
});

const shown = async (id: string) => {
  const event = dataOf(await client.get(`/financial-events/${id}`), RelatedEvent);
  return [event.kind, event.standing, event.movement.reports.length];
};

const totalOf = async () => Number(dataOf(await client.get('/analytics/ai-pnl'), Pnl).total);

async function expectConsistent(): Promise<void> {
  const ledger = bed.service.db.ledger(await scopeOf(bed, client));
  expect((await reconcileWithHistory(ledger)).findings).toEqual([]);
}

describe('A change of a profile', () => {
  it('Shows what it would do to the last events, and changes nothing before it is made', async () => {
    const open = await recordEvent(client, TILL);
    await recordEvent(client, { ...TILL, amount: '5.10' });
    await recordEvent(client, { ...TILL, source: 'shop', amount: '-1' });
    const gone = await recordEvent(client, TILL);
    await client.delete(`/financial-events/${gone.id}`);
    const before = await contents(bed);
    const answer = await client.patch('/settings?dry_run=true', profileOf('sale', 'planned'));
    const { dry_run } = dataOf(answer, SettingsChange);
    expect(await contents(bed)).toBe(before);
    const of = (standing: string, events: number[], amounts: string[]) => ({
      ...{ standing, kind: 'sale', currency: 'USD' },
      ...{ events_before: events[0], events_after: events[1] },
      ...{ amount_before: amounts[0], amount_after: amounts[1] },
    });
    expect(dry_run?.money).toMatchObject({
      ...{ examined: 3, changed: 2 },
      lines: [of('counted', [3, 1], ['24', '-1']), of('planned', [0, 2], ['0', '25'])],
    });
    expect(dry_run?.money.examples).toContainEqual({
      ...{ financial_event_id: open.id, ...TILL },
      ...{ kind_before: 'sale', kind_after: 'sale' },
      ...{ standing_before: 'counted', standing_after: 'planned' },
      ...{ counted_before: '19.90', counted_after: '0' },
      movement_before: { lead: open.id, reports: [open.id] },
      movement_after: { lead: open.id, reports: [open.id] },
    });
  });

  const SHOP = { ...TILL, source: 'shop' };
  const ON_SUNDAY = { timestamp: '2026-03-01T12:00:00Z' };
  const transaction = { currency: 'USD', total: '19.9', untaxed: '16.72' };
  const profiles = (source: string, fields: object) => ({
    attribution: { profiles: [{ name: 'Own', source, ...fields }] },
  });
  const clock = (whole_days: boolean) => ({ clock: { whole_days, time_zone: 'UTC' } });
  const kinds = (kind: string, state = 'moved') => ({
    kinds: [{ event_types: ['*'], kind, state }],
  });

  it.each<[string, Readonly<Record<string, unknown>>[], object, number[]]>([
    [
      'pairs what is said to repeat another source',
      [
        { ...TILL, ...ON_SUNDAY },
        { ...SHOP, ...ON_SUNDAY },
        { ...SHOP, amount: '7' },
      ],
      profiles('till/*', { repeats: ['shop'] }),
      [2, 2],
    ],
    [
      'pairs nothing that several others may repeat',
      [
        { ...TILL, ...ON_SUNDAY },
        { ...SHOP, ...ON_SUNDAY },
        { ...SHOP, ...ON_SUNDAY },
      ],
      profiles('till/*', { repeats: ['shop'] }),
      [],
    ],
    [
      'parts what has not moved from what has',
      [
        { ...TILL, external_id: 'order-1001' },
        { ...SHOP, external_id: 'order-1001' },
      ],
      profiles('till/*', kinds('sale', 'authorised')),
      [1, 1],
    ],
    [
      'parts what a reference that is not read any more has paired, of three',
      ['till/1', 'shop', 'kiosk'].map((source) => ({
        ...{ ...TILL, source, metadata: { order: 'A-1002' } },
      })),
      profiles('kiosk', { references: ['external_id'] }),
      [1, 2, 2],
    ],
    [
      'pairs by days what was too far apart, which then counts without tax',
      [
        { ...TILL, source: 'stripe', timestamp: '2026-03-01T01:00:00Z' },
        {
          ...{ ...TILL, source: 'accounting/main', timestamp: '2026-03-05T12:00:00Z' },
          metadata: { transaction },
        },
      ],
      profiles('accounting/*', clock(true)),
      [2, 2],
    ],
    [
      'moves what it makes a payout between own accounts, with the line of the bank',
      [
        { ...TILL, ...ON_SUNDAY, source: 'acquirer' },
        { ...TILL, ...ON_SUNDAY, source: 'bank/main', description: 'ACQUIRER 0301' },
      ],
      profiles('acquirer', kinds('payout')),
      [2, 2],
    ],
  ])('Tells before that it %s', async (_effect, reports, change, sizes) => {
    for (const report of reports) await recordEvent(client, report);
    await followLogs(bed.service);
    const [before, total] = [await contents(bed), await totalOf()];
    const answer = await client.patch('/settings?dry_run=true', change);
    const money = dataOf(answer, SettingsChange).dry_run?.money;
    expect(await contents(bed)).toBe(before);
    const regrouped = money?.examples.filter(
      ({ movement_before, movement_after }) =>
        movement_before.reports.join() !== movement_after.reports.join(),
    );
    expect(regrouped?.map(({ movement_after }) => movement_after.reports.length).sort()).toEqual(
      sizes,
    );
    dataOf(await client.patch('/settings', change), SettingsChange);
    await followLogs(bed.service);
    for (const told of money?.examples ?? []) {
      const event = dataOf(
        await client.get(`/financial-events/${told.financial_event_id}`),
        RelatedEvent,
      );
      const { lead, reports: together } = event.movement;
      expect({ lead, reports: together, standing: event.standing, kind: event.kind }).toEqual({
        ...{ ...told.movement_after, standing: told.standing_after, kind: told.kind_after },
      });
    }
    const told = (money?.examples ?? []).reduce(
      (sum, { counted_before, counted_after }) =>
        sum + Number(counted_after) - Number(counted_before),
      0,
    );
    expect((await totalOf()) - total).toBeCloseTo(told, 9);
  });

  it('Shows at most twenty examples', async () => {
    for (let n = 0; n < 22; n += 1) await recordEvent(client, TILL);
    const answer = await client.patch('/settings?dry_run=true', profileOf('sale', 'void'));
    const { dry_run } = dataOf(answer, SettingsChange);
    expect(dry_run?.money.changed).toBe(22);
    expect(dry_run?.money.examples.length).toBe(20);
  });

  it('Counts all events again, and they are found by their kind and standing', async () => {
    const { id } = await recordEvent(client, TILL);
    expect(await shown(id)).toEqual(['sale', 'counted', 1]);
    dataOf(await client.patch('/settings', profileOf('s*', 'authorised')), SettingsChange);
    await followLogs(bed.service);
    expect(await shown(id)).toEqual(['sale', 'authorised', 1]);
    const found = async (query: string) => {
      const page = await client.get(`/financial-events?${query}`);
      return dataOf(page, FinancialEventPage).financial_events.map((event) => event.id);
    };
    expect(await found('standing=authorised')).toEqual([id]);
    expect(await found('kind=sale&standing=authorised')).toEqual([id]);
    expect(await found('standing=counted')).toEqual([]);
    expect(await found('kind=payout')).toEqual([]);
    await client.delete(`/financial-events/${id}`);
    expect((await shown(id)).slice(0, 2)).toEqual(['other', 'deleted']);
    expect(await found('standing=authorised')).toEqual([]);
    expect(await found('standing=deleted')).toEqual([id]);
    await expectConsistent();
  });

  it('Parts what did not move from what did, and pairs it again once it says that it moved', async () => {
    const money = { amount: '19.90', currency: 'USD', external_id: 'order-1001' };
    const sale = await recordEvent(client, { ...TILL, ...money });
    const other = await recordEvent(client, { ...money, source: 'shop', event_type: 'sale' });
    await followLogs(bed.service);
    expect(await shown(sale.id)).toEqual(['sale', 'counted_once', 2]);
    dataOf(await client.patch('/settings', profileOf('sale', 'authorised')), SettingsChange);
    await followLogs(bed.service);
    expect(await shown(sale.id)).toEqual(['sale', 'authorised', 1]);
    expect(await shown(other.id)).toEqual(['sale', 'counted', 1]);
    await expectConsistent();
    dataOf(await client.patch('/settings', profileOf('sale', 'moved')), SettingsChange);
    await followLogs(bed.service);
    expect(await shown(sale.id)).toEqual(['sale', 'counted_once', 2]);
    await expectConsistent();
  });

  it('Is refused for a kind that nobody knows', async () => {
    const kinds = [{ event_types: ['sale'], kind: 'gift' }];
    const profiles = [{ name: 'Till', source: 'till', kinds }];
    const answer = await client.patch('/settings', { attribution: { profiles } });
    expectRefusal(answer, 'validation_error', 'attribution.profiles[0].kinds[0].kind');
  });
});
