import { DecisionPage, DecisionReceipt } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf, decision, expectRefusal, request } from '../support/client.js';
import { describePostgres } from '../support/postgres.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { openTestService, type TestService } from '../support/service.js';

describePostgres('PostgreSQL outage', () => {
  let server: PostgresServer;
  let bed: TestService;

  beforeAll(async () => {
    server = await startPostgres();
    bed = await openTestService('postgres', { server });
  });
  afterAll(async () => {
    await bed.close();
    await server.stop();
  });

  const readiness = () => request(bed.http, 'GET', '/readyz');

  it('A service is not ready while PostgreSQL is down, and recovers by itself', async () => {
    const { live } = await bed.organisation();
    dataOf(await live.post('/decisions', decision()), DecisionReceipt, 201);
    await server.kill();
    try {
      expectRefusal(await readiness(), 'unavailable');
      expectRefusal(await live.post('/decisions', decision()), 'unavailable');
      expectRefusal(await live.get('/decisions'), 'unavailable');
      expect((await request(bed.http, 'GET', '/healthz')).status).toBe(200);
    } finally {
      await server.start();
    }
    expect((await readiness()).status).toBe(200);
    const { seq } = dataOf(await live.post('/decisions', decision()), DecisionReceipt, 201);
    expect(seq).toBe(2);
    expect(dataOf(await live.get('/decisions'), DecisionPage).decisions).toHaveLength(2);
  });
});
