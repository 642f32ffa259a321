import { Settings } from '@decision-ledger/contract/settings';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '#server/domains/evidence/reconciliation/index';
import { dataOf, expectRefusal } from '../../support/client.js';
import { decide, liabilityOf, nightly } from '../../support/estimates.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it('The nightly run reads a payload again that was read with other rules', async () => {
  const { live } = await bed.organisation();
  const scope = await scopeOf(bed, live);
  const { decision_id } = await decide(live, {
    ...{ action_type: 'approve_refund', outputs: { done: true } },
    inputs: { account: { balance: { amount: 8000 } }, refund: { amount: 20 } },
  });
  await withOwner(bed, (owner) =>
    owner.query(
      `update liability_estimates set stated_amount = $2, amount_at_risk = $2, reading = $3
        where ledger_id = $1`,
      // The balance counted.
      [scope.ledgerId, '8000', 0],
    ),
  );
  await nightly(bed, scope);
  expect(await liabilityOf(live, decision_id)).toMatchObject({
    parts: { amount_at_risk: '20.00', amount_basis: 'claimed' },
  });
  expect(await reconcile(bed.service.db.ledger(scope))).toMatchObject({
    findings: [],
    skipped: [],
  });
});

it('Profiles of sources tell the units of a payload, and a change of them reads it again', async () => {
  const { live } = await bed.organisation();
  const scope = await scopeOf(bed, live);
  const atRisk = async (outputs: object) => {
    const { decision_id } = await decide(live, { action_type: 'approve_refund', outputs });
    return async () => (await liabilityOf(live, decision_id)).parts.amount_at_risk;
  };
  const stripe = { object: 'refund', amount: 1990, currency: 'usd' };
  const [ofStripe, ofTill] = [await atRisk(stripe), await atRisk({ kind: 'slip', total: 1990 })];
  expect([await ofStripe(), await ofTill()]).toEqual(['19.90', '1990.00']);
  const when = { member: 'kind', values: ['slip'] };
  const units = [{ when, keys: ['total'], unit: 'minor' }];
  const profiles = [{ name: 'Till', source: 'till', units }];
  dataOf(await live.patch('/settings', { attribution: { profiles } }), Settings);
  await nightly(bed, scope);
  expect([await ofStripe(), await ofTill()]).toEqual(['19.90', '19.90']);
  const tooMany = {
    name: 'Till',
    source: 'till',
    units: Array.from({ length: 10 }, () => units[0]),
  };
  const answer = await live.patch('/settings', {
    attribution: { profiles: Array.from({ length: 5 }, () => tooMany) },
  });
  expectRefusal(answer, 'validation_error', 'attribution.profiles');
});
