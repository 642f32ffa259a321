import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngine } from '../support/engine.js';
import { openTestService, type TestService } from '../support/service.js';

describeEngine((engine) => {
  let bed: TestService;
  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());

  it('Of statements that run together, the one that failed first is the error of the transaction', async () => {
    const failed = bed.service.db.transaction(async (tx) => {
      const later = async () => await tx.query(sql`select 1 / 0`);
      const evenLater = async () => await later();
      // The first one aborts the second, which is known before it.
      await Promise.all([evenLater(), tx.query(sql`select 1`)]);
    });
    await expect(failed).rejects.toThrow('division by zero');
  });

  it('An error that a use case makes of a failed statement stays', async () => {
    const failed = bed.service.db.transaction(async (tx) => {
      await tx.query(sql`select 1 / 0`).catch(() => {
        throw new Error('this amount cannot be divided');
      });
    });
    await expect(failed).rejects.toThrow('this amount cannot be divided');
  });
});
