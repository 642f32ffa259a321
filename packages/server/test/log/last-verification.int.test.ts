import { DecisionChainVerification, LastVerifications } from '@decision-ledger/contract/chain';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf, decision } from '../support/client.js';
import { openTestService, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it('The last verification of a whole chain is kept with its head, whatever is verified in part', async () => {
  const { live } = await bed.organisation();
  const last = async () => dataOf(await live.get('/verification'), LastVerifications);
  expect(await last()).toEqual({ decisions: null, activity: null });
  const { seq, hash } = dataOf(await live.post('/decisions', decision()), DecisionReceipt, 201);
  const verified = await live.get('/decisions/chain/verify');
  const { first_broken_link, read_from, ...kept } = dataOf(verified, DecisionChainVerification);
  expect([first_broken_link, read_from]).toEqual([null, 'primary']);
  expect(await last()).toEqual({ decisions: kept, activity: null });
  expect(kept.head).toEqual({ seq, hash });
  bed.clock.advance(60_000);
  await live.post('/decisions', decision());
  await live.get('/decisions/chain/verify?start_date=2026-01-01');
  await live.get(`/decisions/chain/verify?expect_seq=1&expect_hash=${'0'.repeat(64)}`);
  expect((await last()).decisions).toEqual(kept);
  await live.get(`/decisions/chain/verify?expect_seq=1&expect_hash=${hash}`);
  await live.get('/activity/chain/verify');
  const { decisions, activity } = await last();
  expect(decisions).toMatchObject({ is_valid: true, records_checked: 2, head: { seq: 2 } });
  expect(activity).toMatchObject({ is_valid: true });
  expect(Date.parse(decisions?.verification_timestamp ?? '')).toBe(bed.clock.now());
});
