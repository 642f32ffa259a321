import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { IssuedKey, KeyPage } from '@decision-ledger/contract/key';
import type { Permission } from '@decision-ledger/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../support/client.js';
import { recordEvent } from '../support/money.js';
import { asOwner } from '../support/owner.js';
import { SERVER } from '../support/paths.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';

const MIGRATION = readFileSync(resolve(SERVER, 'migrations/0009_manage_permission.sql'), 'utf8');

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

const permissionsOf = async (keyId: string) =>
  dataOf(await org.live.get('/keys'), KeyPage).keys.find(({ key_id }) => key_id === keyId)
    ?.permissions;

describe('Permission manage', () => {
  it('The first key of a new organisation can delete a financial event, and an ingest key cannot', async () => {
    const { id } = await recordEvent(org.live);
    const ingest = bed.client((await issue(['ingest', 'read'])).key);
    expectRefusal(await ingest.delete(`/financial-events/${id}`), 'forbidden');
    dataOf(await org.live.delete(`/financial-events/${id}`), FinancialEvent);
  });

  it('The migration grants manage once to keys that hold admin, and to no others', async () => {
    const admin = await issue(['read', 'admin']);
    const reader = await issue(['read', 'ingest']);
    const activity = async () =>
      asOwner(bed, 'select row_to_json(a)::text as text from activity a order by ledger_id, seq');
    const before = await activity();
    for (let round = 0; round < 2; round += 1) await asOwner(bed, MIGRATION);
    expect(await permissionsOf(admin.key_id)).toEqual(['read', 'admin', 'manage']);
    expect(await permissionsOf(reader.key_id)).toEqual(['read', 'ingest']);
    expect(await activity()).toEqual(before);
  });
});
