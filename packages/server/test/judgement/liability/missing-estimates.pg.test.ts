import { afterAll, beforeAll, expect, it } from 'vitest';
import { selectWithoutEstimate } from '#server/domains/judgement/liability/store/stored-rows';
import type { Statement } from '#server/platform/statement';
import { databaseWith } from '../../support/own-database.js';
import { describePostgres } from '../../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

describePostgres('Decisions without an estimate', () => {
  let test: TestService;

  beforeAll(async () => {
    test = await openTestService('postgres');
  });
  afterAll(() => test.close());

  it('They are looked up one by one, also while the planner knows nothing of a new ledger', async () => {
    const { live } = await test.organisation();
    const plans: string[] = [];
    const { ledger } = databaseWith(test.service.db, {
      async query<Row extends object>({ text, values }: Statement): Promise<Row[]> {
        const explained = { text: `explain ${text}`, values };
        const rows = await test.service.db.query<{ 'QUERY PLAN': string }>(explained);
        plans.push(...rows.map((row) => row['QUERY PLAN']));
        return [];
      },
    });
    await selectWithoutEstimate(ledger(await scopeOf(test, live)), 20_000, 2);
    const plan = plans.join('\n');
    expect(plan).toContain('SubPlan');
    expect(plan).not.toContain('Anti Join');
  });
});
