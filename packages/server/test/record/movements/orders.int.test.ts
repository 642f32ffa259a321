import { Pnl } from '@decision-ledger/contract/analytics';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { SameMoneyPage } from '@decision-ledger/contract/same-money';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { featureFollower, suggestionFollower } from '#server/domains/judgement/attribution/index';
import { movementFollower } from '#server/domains/record/movements/index';
import { catchUpDue } from '#server/platform/followers/due-step';
import { catchUp } from '#server/platform/followers/step';
import { isThorough, runs } from '../../../../proof/test/support/runs.js';
import { type Client, dataOf } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { event } from '../../support/money.js';
import { openTestService, type TestService } from '../../support/service.js';
import { openDesk } from '../../support/suggestions-desk.js';
import { eventsOf } from '../../support/webhooks.js';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 10, 12);

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** A report: source, amount, day and reference. */
const REPORTS = (
  [
    ['stripe', '19.90', 0, 'O-1001'],
    ['accounting/main', '19.90', 2, 'o 1001'],
    ['shop', '19.90', 0, 'O-1001'],
    ['stripe', '50.00', 1, null],
    ['accounting/main', '50.00', 3, null],
    ['stripe', '7.00', 2, null],
    ['accounting/main', '7.00', 3, null],
    ['accounting/main', '7.00', 4, null],
    ['stripe', '-12.00', 5, 'R-2001'],
    ['accounting/main', '-12.00', 6, 'r2001'],
    ['shop', '33.00', 4, 'O-3001'],
    ['accounting/other', '33.00', 30, 'O-3001'],
  ] as const
).map(([source, amount, day, reference]) =>
  event({
    ...{ source, amount, timestamp: new Date(START + day * DAY).toISOString() },
    metadata: reference === null ? {} : { reference },
  }),
);

const transaction = {
  ...{ currency: 'USD', total: '170', untaxed: '170', fee: '-3', settled: '167' },
};
/**
 * A payout with its line of the bank and its posting as one sum, a sale with what a fee has left of it, and a charge with its
 * posting beside a sale of another customer, with a refund that names the charge alone, and an order in
 * two payments.
 */
const RELATED = (
  [
    ['stripe', 'payout', '167.00', 8, { object: 'po_90001', payout_fees: '-3.00 USD' }],
    ['accounting/main', 'revenue', '170.00', 9, { transaction }],
    ['accounting/main', 'expense', '-3.00', 9, { transaction }],
    ['bank/main', 'payout', '167.00', 9, {}],
    ['shop', 'sale', '100.00', 10, { order: 'A-100902' }],
    ['shop', 'processing_fee', '-1.65', 10, { order: 'A-100902' }],
    ['accounting/main', 'revenue', '98.35', 20, { order: 'A-100902' }],
    [
      'stripe',
      'charge',
      '55.00',
      10,
      { invoice: 'INV-2026-00517', customer_id: 'C-1793' },
      'ch_90001',
    ],
    ['accounting/main', 'revenue', '55.00', 12, { reference: 'INV/2026/00517' }],
    ['shop', 'sale', '55.00', 13, { customer_id: 'C-1173' }, 'A-103007'],
    ['stripe', 'refund', '-20.00', 15, { stripe_charge: 'ch_90001' }, 're_90001'],
    ['accounting/main', 'revenue', '-20.00', 30, { reference: 'INV-2026-00517' }],
    ['shop', 'sale', '90.00', 12, { order: 'A-100903' }],
    ['stripe', 'charge', '60.00', 12, { order: 'A-100903' }],
    ['stripe', 'charge', '30.00', 42, { order: 'A-100903' }],
    ['shop', 'refund', '-20.00', 15, {}, 'INV-2026-00517'],
  ] as const
).map(([source, event_type, amount, day, metadata, external_id]) =>
  event({
    ...{ source, event_type, amount, currency: 'USD', metadata },
    ...(external_id !== undefined && { external_id }),
    timestamp: new Date(START + day * DAY).toISOString(),
  }),
);
const decidedFor = (reference: string, amount: string) => ({
  ...{ agent_id: 'seller', outputs: { amount }, metadata: { reference } },
  timestamp: new Date(START - DAY).toISOString(),
});
/** Those of three orders, and others that have nothing in common with any report. */
const DECISIONS = [
  ...[decidedFor('O-1001', '19.90'), decidedFor('O-3001', '33.00'), decidedFor('R-2001', '12.00')],
  ...Array.from({ length: 10 }, (_none, n) => decidedFor(`X-${n}`, `${n}.00`)),
];

/** What the ledger says of money, without ids. */
async function outcomeOf(client: Client, places: ReadonlyMap<string, number>) {
  const events = await eventsOf(client);
  const movements = events.map(({ movement }) =>
    movement.reports
      .map((id) => places.get(id))
      .sort()
      .join(),
  );
  const { reports } = dataOf(await client.get('/movements/same-money?limit=100'), SameMoneyPage);
  const desk = await openDesk(bed, client);
  const pnl = dataOf(await client.get('/analytics/ai-pnl'), Pnl);
  const { total, confirmed, matched, guessed, expected, unattributed } = pnl;
  const suggestions = await desk.links('&status=ML_SUGGESTED');
  return {
    movements: [...new Set(movements)].sort(),
    queued: reports.map(({ report }) => places.get(report.id)).sort(),
    suggestions: suggestions.map(({ financial_event_id: id }) => places.get(id)).sort(),
    figures: { total, confirmed, matched, guessed, expected, unattributed },
  };
}

/** Records the reports in an order, some of them again, and follows in between now and then. */
async function tell(reports: typeof REPORTS, order: readonly number[], dice: () => number) {
  const { client, scope } = await openDesk(bed);
  const desk = await openDesk(bed, client);
  await desk.decide(...DECISIONS);
  const follow = () => followLogs(bed.service, [scope.ledgerId]);
  const places = new Map<string, number>();
  const send = async (at: number) => {
    const headers = { 'idempotency-key': `report ${at}` };
    const answer = await client.post('/financial-events', reports[at] ?? {}, headers);
    places.set(dataOf(answer, FinancialEvent, 201).id, at);
  };
  for (const at of order) {
    await send(at);
    if (dice() % 3 === 0) await send(order[dice() % order.length] ?? at);
    if (dice() % 4 === 0) await follow();
    if (dice() % 6 === 0) await desk.look();
  }
  await follow();
  await desk.look();
  await follow();
  return outcomeOf(client, places);
}

it('The same reports in any order, some of them repeated, make the same movements, figures, suggestions and queue', async () => {
  const all = REPORTS.map((_one, at) => at);
  const due = await tell(REPORTS, all, () => 1);
  expect(due.movements).toEqual(['0,1,2', '10,11', '3,4', '5', '6', '7', '8,9']);
  expect(due.suggestions.length).toBeGreaterThan(0);
  const orders = fc.shuffledSubarray(all, { minLength: all.length });
  await fc.assert(
    fc.asyncProperty(orders, fc.infiniteStream(fc.nat()), async (order, dice) => {
      expect(await tell(REPORTS, order, () => dice.next().value)).toEqual(due);
    }),
    { seed: 2026, numRuns: isThorough ? 200 : runs(60), endOnFailure: true },
  );
}, 600_000);

it('A payout with its line and its posting as one sum, a sale less a fee, and what is of other orders are the same in any order', async () => {
  const all = RELATED.map((_one, at) => at);
  const shown = ({ movements, queued, figures }: Awaited<ReturnType<typeof tell>>) => ({
    ...{ movements, queued, total: figures.total },
  });
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.infiniteStream(fc.nat()),
      async (order, dice) => {
        const told = await tell(RELATED, order, () => dice.next().value);
        expect(shown(told)).toEqual({
          movements: ['0,1,2,3', '10,11,15', '12,13', '14', '4,6', '5', '7,8', '9'],
          ...{ queued: [], total: '278.35' },
        });
      },
    ),
    { seed: 2026, numRuns: runs(20), endOnFailure: true },
  );
}, 600_000);

/** Two postings weeks late, of three sales of one amount of which the books have one, and one before its sale. */
const LATE = (
  [
    ['stripe', '80.00', 0, 'O-6001'],
    ['stripe', '80.00', 6, 'O-6002'],
    ['accounting/main', '80.00', 7, 'O-6002'],
    ['stripe', '80.00', 20, 'O-6003'],
    ['shop', '80.00', 20, 'O-6003'],
    ['accounting/main', '80.00', 12, null],
    ['accounting/main', '80.00', 30, null],
    ['stripe', '61.00', 9, null],
    ['accounting/main', '61.00', 6, null],
    ['stripe', '-61.00', 7, null],
  ] as const
).map(([source, amount, day, reference]) =>
  event({
    ...{ source, amount, timestamp: new Date(START + day * DAY).toISOString() },
    metadata: reference === null ? {} : { reference },
  }),
);

it('Postings that come late, or too early for what moved, are asked in any order', async () => {
  const all = LATE.map((_one, at) => at);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.infiniteStream(fc.nat()),
      async (order, dice) => {
        const { movements, queued } = await tell(LATE, order, () => dice.next().value);
        expect({ movements, queued }).toEqual({
          movements: ['0', '1,2', '3,4', '5', '6', '7', '8', '9'],
          queued: [5, 6, 7, 8],
        });
      },
    ),
    { seed: 2026, numRuns: runs(20), endOnFailure: true },
  );
}, 600_000);

/** Records the reports in an order, and follows after some places of it and at the end. */
function tellUntil(places: readonly number[], reports: typeof REPORTS, order: readonly number[]) {
  // Of three answers for each report, the second one says whether to follow.
  const answers = order.flatMap((_at, place) => [1, places.includes(place) ? 4 : 1, 1]);
  return tell(reports, order, () => answers.shift() ?? 1);
}

/** Sixty postings without a reference, and three orders weeks before them, of which the books have the first two or all. */
const crowd = (booked: number) =>
  [
    ...Array.from({ length: 60 }, (_none, n) => ['accounting/main', n / 3, null] as const),
    ...[0, 1, 2].map((n) => ['shop', n - 20, `O-700${n}`] as const),
    ...[0, 1, 2].slice(0, booked).map((n) => ['accounting/main', n - 19, `O-700${n}`] as const),
  ].map(([source, day, reference]) =>
    event({
      ...{ source, amount: '19.90', metadata: reference === null ? {} : { reference } },
      timestamp: new Date(START + day * DAY).toISOString(),
    }),
  );

it.each([
  [2, 'all are asked about the order that they lack', 60],
  [3, 'none is asked about what they have', 0],
] as const)(
  'Of a crowd of postings in books that have %i of three orders, %s, in any order',
  async (booked, _outcome, asked) => {
    const reports = crowd(booked);
    const all = reports.map((_one, at) => at);
    const [postings, orders] = [all.slice(0, 60), all.slice(60)];
    for (const told of [
      await tellUntil([59, 60, 61, 62, 63, 64], reports, [...postings, ...orders]),
      await tellUntil([2, 5, 30], reports, [...orders, ...[...postings].reverse()]),
      await tellUntil([3, 20, 62], reports, [
        ...orders.slice(3),
        ...postings,
        ...orders.slice(0, 3),
      ]),
      await tellUntil([], reports, all),
    ]) {
      expect(told.queued).toHaveLength(asked);
      expect(told.queued.every((place) => (place ?? 60) < 60)).toBe(true);
    }
  },
  600_000,
);

/** A charge and its posting without a reference, among orders of one price that the books have: with them, it is a crowd. */
const BESIDE = [
  ['stripe', 1, null] as const,
  ['accounting/main', 1.2, null] as const,
  ...Array.from({ length: 14 }, (_none, n) => [
    ['stripe', 0.5 + n / 20, `O-8${n}01`] as const,
    ['accounting/main', 0.6 + n / 20, `O-8${n}01`] as const,
  ]).flat(),
].map(([source, day, reference]) =>
  event({
    ...{ source, amount: '7.00', metadata: reference === null ? {} : { reference } },
    timestamp: new Date(START + day * DAY).toISOString(),
  }),
);

it.each([
  ['before a crowd', [1, 23, 24, 25, 27], 0],
  ['when a crowd comes at once', [1, 20], 0],
  ['in the middle of a crowd', [13, 17, 25, 28], 12],
  ['after a crowd', [27], 28],
])(
  'A charge and its posting that come %s are asked about as they are in it',
  async (_when, ...[places, start]) => {
    const all = BESIDE.map((_one, at) => at);
    const others = all.slice(2);
    const order = [...others.slice(0, start), 0, 1, ...others.slice(start)];
    const { movements, queued } = await tellUntil(places, BESIDE, order);
    const booked = Array.from({ length: 14 }, (_none, n) => [2 + 2 * n, 3 + 2 * n].sort().join());
    expect({ movements, queued }).toEqual({ movements: ['0', '1', ...booked].sort(), queued: [1] });
  },
  600_000,
);

/** Four orders, each of which three sources report. */
const REPEATED = ['stripe', 'accounting/main', 'shop'].flatMap((source, late) =>
  ['O-4001', 'O-4002', 'O-4003', 'O-4004'].map((reference, at) =>
    event({
      ...{ source, amount: `${20 + at}.00`, metadata: { reference } },
      timestamp: new Date(START + (at + late) * DAY).toISOString(),
    }),
  ),
);

it('Models learn from what changed hands once, however many sources report it, and whenever somebody looks', async () => {
  const told = async (isLookedAtBetween: boolean) => {
    const { client } = await openDesk(bed);
    const desk = await openDesk(bed, client);
    await desk.decide(
      ...['O-4001', 'O-4002', 'O-4003', 'O-4004'].map((one, at) =>
        decidedFor(one, `${20 + at}.00`),
      ),
    );
    const places = new Map<string, number>();
    for (const [at, report] of REPEATED.entries()) {
      places.set(await desk.happen(report), at);
      if (isLookedAtBetween) await desk.look();
    }
    await desk.look();
    await followLogs(bed.service, [desk.scope.ledgerId]);
    const models = dataOf(
      await client.get('/activity?type=attribution.model_changed'),
      ActivityPage,
    ).activity;
    return { models: models.length, ...(await outcomeOf(client, places)) };
  };
  const due = await told(false);
  expect(due.movements).toEqual(['0,4,8', '1,5,9', '10,2,6', '11,3,7']);
  expect(due.suggestions).toEqual([0, 1, 2, 3]);
  expect(await told(true)).toEqual(due);
});

it('No event is scored before it was compared with others', async () => {
  const desk = await openDesk(bed);
  await desk.decide(decidedFor('O-5001', '42.00'));
  const id = await desk.happen({
    ...{ amount: '42.00', metadata: { reference: 'O-5001' } },
    timestamp: new Date(START).toISOString(),
  });
  const ledger = bed.service.db.ledger(desk.scope);
  const { signal } = new AbortController();
  const score = () => catchUpDue(ledger, suggestionFollower(bed.service.hooks), signal);
  await catchUp(ledger, featureFollower, signal);
  await score();
  expect(await desk.suggested(id)).toEqual([]);
  await catchUpDue(ledger, movementFollower(bed.service.hooks), signal);
  await score();
  expect(await desk.suggested(id)).toHaveLength(1);
});
