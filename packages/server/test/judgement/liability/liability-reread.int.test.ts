import { DEFAULT_LIABILITY, LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '#server/domains/evidence/reconciliation/index';
import { riskReader } from '#server/domains/judgement/liability/rules/risk';
import { decide, liabilityOf, nightly } from '../../support/estimates.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** As the release before read it: the balance counted. */
const BEFORE = {
  amount: '8000',
  reading: riskReader(Parse(LiabilitySettings, DEFAULT_LIABILITY), 'USD').formerReading,
};

it('An estimate of a release that read amounts otherwise is made again, and counts as no manipulation', async () => {
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
      [scope.ledgerId, BEFORE.amount, BEFORE.reading],
    ),
  );
  const { findings, skipped } = await reconcile(bed.service.db, scope);
  expect(findings).toEqual([]);
  expect(skipped).toMatchObject([{ table: 'liability_estimates', rows: 1 }]);
  await nightly(bed, scope);
  expect(await liabilityOf(live, decision_id)).toMatchObject({
    parts: { amount_at_risk: '20.00', amount_basis: 'stated' },
  });
  expect(await reconcile(bed.service.db, scope)).toMatchObject({ findings: [], skipped: [] });
});
