import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConsistent } from '#server/domains/answers/analytics/consistent';
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
