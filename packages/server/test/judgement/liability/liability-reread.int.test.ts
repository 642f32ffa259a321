import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '#server/domains/evidence/reconciliation/index';
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
    parts: { amount_at_risk: '20.00', amount_basis: 'stated' },
  });
  expect(await reconcile(bed.service.db.ledger(scope))).toMatchObject({
    findings: [],
    skipped: [],
  });
});
