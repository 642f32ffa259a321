import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConsistent, readEstimated } from '#server/domains/answers/analytics/consistent';
import { readExposure } from '#server/domains/answers/analytics/exposure';
import { outlooks } from '#server/domains/answers/analytics/outlooks';
import { pnlReader } from '#server/domains/answers/analytics/pnl';
import { storeEstimates } from '#server/domains/judgement/liability/index';
import { updateCurrency } from '#server/domains/judgement/liability/store/snapshots';
import type { Ledger } from '#server/platform/ledger';
import { decide } from '../support/estimates.js';
import { recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it('Figures are read again in one snapshot if money changes while they are read', async () => {
  const { live } = await bed.organisation();
  const scope = await scopeOf(bed, live);
  let reads = 0;
  const read = () =>
    readConsistent(bed.service.db.ledger(scope), async () => {
      reads += 1;
      if (reads === 1) await recordEvent(live);
      return reads;
    });
  const changed = await read();
  expect(changed.result).toBe(2);
  const quiet = await read();
  expect(quiet.result).toBe(3);
  expect(quiet.state.activity_seq).toBe(changed.state.activity_seq);
});

it('No sum of estimates is shown whose currency changes while they are read', async () => {
  const { live } = await bed.organisation();
  const ledger = bed.service.db.ledger(await scopeOf(bed, live));
  await decide(live, { outputs: { amount: 100 } });
  await storeEstimates(ledger);
  const change = (currency: string | null) => ledger.write((tx) => updateCurrency(tx, currency));
  let reads = 0;
  const again = await readEstimated(ledger, async () => {
    reads += 1;
    if (reads === 1) await change(null);
    return reads;
  });
  expect(again.result).toBe(2);

  const changing: Ledger = {
    ...ledger,
    async query(statement) {
      const rows = await ledger.query<never>(statement);
      if (statement.text.includes('from exposure_cells')) await change(null);
      return rows;
    },
  };
  const tools = { outlooks: outlooks(bed.clock) };
  const readPnl = pnlReader(bed.clock);
  await change('USD');
  expect(await readExposure(ledger, tools, {})).toMatchObject({ currency: 'USD', decisions: 1 });
  expect((await readPnl(ledger, {})).expected_liability).not.toBeNull();
  await expect(readExposure(changing, tools, {})).rejects.toThrow('base currency was changed');
  await change('USD');
  expect((await readPnl(changing, {})).expected_liability).toBeNull();
});
