import { DecisionPage, DecisionReceipt } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf, decision, expectRefusal, request } from './support/client.js';
import { describePostgres, killServer, startServer } from './support/postgres.js';
import { openTestService, type TestService } from './support/service.js';

describePostgres('a service whose PostgreSQL goes away and comes back', () => {
  let bed: TestService;

  beforeAll(async () => {
    bed = await openTestService('postgres');
  });
  afterAll(() => bed.close());

  const readiness = () => request(bed.http, 'GET', '/readyz');

  it('is not ready meanwhile, and takes up its work by itself', async () => {
    const { live } = await bed.organisation();
    dataOf(await live.post('/decisions', decision()), DecisionReceipt, 201);
    await killServer();
    try {
      expectRefusal(await readiness(), 'unavailable');
      expectRefusal(await live.post('/decisions', decision()), 'unavailable');
      expectRefusal(await live.get('/decisions'), 'unavailable');
      expect((await request(bed.http, 'GET', '/healthz')).status).toBe(200);
    } finally {
      await startServer();
    }
    expect((await readiness()).status).toBe(200);
    const { seq } = dataOf(await live.post('/decisions', decision()), DecisionReceipt, 201);
    expect(seq).toBe(2);
    expect(dataOf(await live.get('/decisions'), DecisionPage).decisions).toHaveLength(2);
  });
});
