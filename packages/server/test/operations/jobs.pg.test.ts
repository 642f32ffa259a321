import { setTimeout as sleep } from 'node:timers/promises';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOG_REBUILDS } from '#server/domains/evidence/transparency/index';
import { dataOf } from '../support/client.js';
import { asOwner } from '../support/owner.js';
import { describePostgres } from '../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { startService } from '../support/service-process.js';
import { dueWork, openJobs, settled } from '../support/webhooks.js';

describePostgres('Process roles', () => {
  let bed: TestService;
  beforeAll(async () => {
    bed = await openTestService('postgres');
  });
  afterAll(() => bed.close());

  it('An api process answers and leaves background work to a worker, which answers only health checks', async () => {
    const { test } = await bed.organisation();
    const api = await startService({ ...bed.environment, LEDGER_ROLE: 'api' });
    const headers = { 'x-ledger-key': test.key, 'content-type': 'application/json' };
    const event = { source: 'billing', event_type: 'payment', amount: '10.00', currency: 'USD' };
    const answer = await fetch(`${api.url}/api/v1/financial-events`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ ...event, timestamp: '2026-03-01T12:00:00Z' }),
    });
    expect(answer.status).toBe(201);
    // Longer than a worker leaves anything waiting.
    await sleep(2500);
    // What it suggests, and which other events report its money.
    expect(await dueWork(bed.service.db)).toBe(2);
    const next = await startService({ ...bed.environment, LEDGER_ROLE: 'worker' });
    await settled(bed.service);
    const statusOf = async (path: string) =>
      (await fetch(`${next.url}${path}`, { headers })).status;
    expect(
      await Promise.all(['/healthz', '/readyz', '/metrics', '/version'].map(statusOf)),
    ).toEqual([200, 200, 200, 200]);
    for (const path of ['/api/v1/financial-events', '/api/v1/decisions', '/api/v1/jobs/dead']) {
      expect(await statusOf(path)).toBe(404);
    }
    await Promise.all([api.stop(), next.stop()]);
    const { id } = dataOf(
      await test.get(`/financial-events/${idOf(await answer.json())}`),
      FinancialEvent,
    );
    expect(id).toMatch(/^evt_/);
  });

  it('A job is started within seconds if the queue still counts its predecessor as active', async () => {
    const { test } = await bed.organisation();
    const ledger = bed.service.db.ledger(await scopeOf(bed, test));
    await bed.service.jobs.send(ledger, LOG_REBUILDS, {}, 'rebuild');
    expect(await openJobs(bed.service.db)).toBe(1);
    await asOwner(
      bed,
      `update queue q set singletons_active = array[j.singleton_key]
       from job j where j.name = q.name and j.state = 'created'`,
    );
    const worker = await startService({ ...bed.environment, LEDGER_ROLE: 'worker' });
    const started = performance.now();
    await settled(bed.service);
    expect(performance.now() - started).toBeLessThan(30_000);
    await worker.stop();
  });
});

function idOf(body: unknown): string {
  return /evt_[0-9a-z]{26}/.exec(JSON.stringify(body))?.[0] ?? '';
}
