import { afterAll, beforeAll, expect, it } from 'vitest';
import { decision } from '../support/client.js';
import { openTestService, type TestService } from '../support/service.js';
import { type Assigned, analyse, DECIDED, record } from './support/experiment-ledger.js';

const DAY = 86_400_000;
const CUSTOMERS = 60;
const nameOf = (n: number) => (n % 7 === 0 ? `Zoë "${n}"` : `c${n}`);
const daysBefore = (days: number, ms = 0) =>
  new Date(Date.parse(DECIDED) - days * DAY + ms).toISOString();

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** Decisions before the experiment, at and around both ends of the history. */
function histories(): Assigned[] {
  return Array.from({ length: CUSTOMERS * 2 }, (_, n): Assigned => {
    const customer = nameOf(n % CUSTOMERS);
    const at = [daysBefore(90), daysBefore(90, -1), daysBefore(0, -1), daysBefore(30)][n % 4] ?? '';
    return {
      ...{ arm: 'none', customer, amount: `${10 + ((n * 37) % 90)}.50`, at },
      decision: { timestamp: at, metadata: { customer_id: customer } },
    };
  });
}

it('Histories are the same whether customers are looked up one by one or all decisions are read', async () => {
  const { live } = await bed.organisation();
  await record(bed, live, histories());
  await record(
    bed,
    live,
    Array.from(
      { length: CUSTOMERS * 2 },
      (_, n): Assigned => ({
        ...{ arm: n % 2 === 1 ? 'bold' : 'control', customer: nameOf(n >> 1) },
        amount: `${20 + (((n >> 1) * 37) % 80) + (n % 3)}.00`,
        // The first assignment of a customer is not the first in the chain.
        decision: { timestamp: n % 4 === 0 ? daysBefore(0, 1000) : DECIDED },
      }),
    ),
  );
  const read = await analyse(live);
  expect(read).toMatchObject({ estimator: 'aipw', covariates: ['prior_net', 'prior_decisions'] });
  // So many decisions of others that looking up the customers takes less.
  for (let batch = 0; batch < 9; batch += 1) {
    const others = Array.from({ length: 100 }, (_, n) =>
      decision({ timestamp: daysBefore(20), metadata: { customer_id: `other ${batch} ${n}` } }),
    );
    expect((await live.post('/decisions/batch', { decisions: others })).status).toBe(201);
  }
  const changed = await live.patch('/settings', { analytics: { close_after_days: 11 } });
  expect(changed.status).toBe(200);
  expect(await analyse(live)).toEqual(read);
});

it('An experiment of several pages counts each decision and each amount once', async () => {
  const { live } = await bed.organisation();
  const amountOf = (n: number) => (n % 5 === 0 ? 1 + (n % 97) : null);
  const all = Array.from({ length: 4001 }, (_, n): Assigned => {
    const amount = amountOf(n);
    return {
      ...{ arm: n % 2 === 1 ? 'bold' : 'control', customer: `c${n % 900}` },
      amount: amount === null ? null : `${amount}.25`,
    };
  });
  await record(bed, live, all);
  const found = await analyse(live);
  expect(found).toMatchObject({ status: 'comparable', decisions: 4001, matured: 4001 });
  const places = [...all.keys()];
  const cents = (isOwn: (n: number) => boolean) =>
    places.filter(isOwn).reduce((sum, n) => sum + 100 * (amountOf(n) ?? -0.25) + 25, 0);
  expect(
    found.arms.map(({ arm, decisions, customers, net }) => [arm, decisions, customers, net]),
  ).toEqual([
    ['bold', 2000, 450, (cents((n) => n % 2 === 1) / 100).toFixed(2)],
    ['control', 2001, 450, (cents((n) => n % 2 === 0) / 100).toFixed(2)],
  ]);
});
