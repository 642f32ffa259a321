import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.js';
import { recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';
import { type Assigned, analyse, record } from './support/experiment-ledger.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const PAID = '2026-02-02T10:00:00.000Z';

/** Customers by number, all of whom pay the same unless `one` says otherwise. */
const customers = (count: number, one: (n: number) => Partial<Assigned>): Assigned[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ arm: n % 2 === 0 ? 'bold' : 'control', customer: `c${n}`, amount: `${10 + (n % 7)}.00` },
    ...one(n),
  }));

async function remarks(client: Client, query = '') {
  const { status, reasons, warnings, differences, sample_ratio } = await analyse(client, query);
  const codes = (all: typeof reasons | typeof warnings) => all.map(({ code }) => code);
  return {
    ...{ status, reasons: codes(reasons), differences: differences.length, sample_ratio },
    warnings: codes(warnings).filter((code) => code !== 'few_paying_customers'),
    messages: [...reasons, ...warnings].map(({ message }) => message).join('\n'),
  };
}

it('Numbers that do not agree with the propensities refuse the comparison, or warn', async () => {
  const certain = (await bed.organisation()).live;
  const byQuarter = (n: number) => ({ arm: n % 4 === 0 ? 'control' : 'bold' });
  await record(bed, certain, customers(120, byQuarter));
  const refused = await remarks(certain);
  expect(refused).toMatchObject({ status: 'not_comparable', reasons: ['sample_ratio'] });
  expect(refused).toMatchObject({ differences: 0, sample_ratio: { is_suspicious: true } });
  // By halves, 30 decisions stand for 60 of the 120; the second arm by name is compared.
  expect(refused.messages).toContain('the 30 decisions in "control" stand for 60 of all 120');

  const doubtful = (await bed.organisation()).live;
  // 44 and 76 of 120: χ² = 32² ÷ 120 = 8.53, p = 0.0035.
  await record(
    bed,
    doubtful,
    customers(120, (n) => ({ arm: n < 44 ? 'control' : 'bold' })),
  );
  const warned = await remarks(doubtful);
  expect(warned).toMatchObject({ status: 'comparable', reasons: [], differences: 1 });
  expect(warned.warnings).toContain('sample_ratio');
  expect(warned.sample_ratio).toMatchObject({ is_suspicious: false });
});

it('An assignment that depends on the time is refused, though the numbers agree', async () => {
  const { live } = await bed.organisation();
  const at = (n: number) => `2026-02-01T${String(Math.floor(n / 10)).padStart(2, '0')}:00:00.000Z`;
  await record(
    bed,
    live,
    customers(160, (n) => ({
      arm: (n % 5 === 0) === n < 80 ? 'bold' : 'control',
      decision: { timestamp: at(n) },
    })),
  );
  const refused = await remarks(live);
  expect(refused).toMatchObject({ reasons: ['assignment_imbalance'], differences: 0 });
  expect(refused.messages).toMatch(/the time of the decision.*2026-02-01T\d\d:\d\d:00/);
});

it('Money that is only suggested in one arm is refused until all suggestions count', async () => {
  const { live } = await bed.organisation();
  await record(
    bed,
    live,
    customers(100, (n) => (n % 4 === 0 ? { suggested: 'guessed' } : {})),
  );
  const refused = await remarks(live);
  expect(refused).toMatchObject({ reasons: ['unequal_links'], differences: 0 });
  expect(refused.messages).toContain('50.0 % in "bold", 100.0 % in "control"');
  const all = await remarks(live, '?labels=confirmed,matched,guessed');
  expect(all).toMatchObject({ reasons: [], warnings: [], differences: 1 });
});

it('Fewer payers in one arm are doubtful only if as many events of their type have no link', async () => {
  const { live } = await bed.organisation();
  await record(
    bed,
    live,
    customers(120, (n) => (n % 2 === 0 && n % 8 !== 0 ? { amount: null } : {})),
  );
  const more = async (count: number, fields: object) => {
    for (let n = 0; n < count; n += 1) await recordEvent(live, { timestamp: PAID, ...fields });
  };
  // 15 of 60 pay in one arm and all in the other: 45 events would make the shares equal, 23 halve the difference.
  expect(await remarks(live)).toMatchObject({ reasons: [], warnings: [] });
  await more(22, { event_type: 'payment' });
  await more(20, { event_type: 'other' });
  await more(20, { event_type: 'payment', timestamp: '2026-01-02T10:00:00.000Z' });
  expect((await remarks(live)).warnings).toEqual([]);
  await more(1, { event_type: 'payment' });
  const doubtful = await remarks(live);
  expect(doubtful).toMatchObject({ reasons: [], warnings: ['unequal_links'], differences: 1 });
  expect(doubtful.messages).toContain('at least 23 events');
});
