import { IssuedKey } from '@decision-ledger/contract/access';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import type { Permission } from '@decision-ledger/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { dataOf, expectRefusal } from '../support/client.js';
import { recordEvent } from '../support/money.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
});
afterAll(() => bed.close());

const issue = async (permissions: readonly Permission[]) =>
  dataOf(await org.live.post('/keys', { name: 'a key', permissions }), IssuedKey, 201);

describe('Permission manage', () => {
  it('The first key of a new organisation can delete a financial event, and an ingest key cannot', async () => {
    const { id } = await recordEvent(org.live);
    const ingest = bed.client((await issue(['ingest', 'read'])).key);
    expectRefusal(await ingest.delete(`/financial-events/${id}`), 'forbidden');
    dataOf(await org.live.delete(`/financial-events/${id}`), FinancialEvent);
  });
});
