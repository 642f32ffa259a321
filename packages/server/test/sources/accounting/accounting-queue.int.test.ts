import { DeadJobPage, RetriedJob } from '@decision-ledger/contract/operations';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNTING_POLLS } from '#server/domains/sources/accounting/index';
import { accountingJobs, pollConnection } from '#server/domains/sources/accounting/poll';
import { Keyring } from '#server/platform/keyring/keyring';
import { dataOf } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { askForDue, company, type Ledger, openLedger, pollJobs } from './support/accounting.js';
import { type QuickBooks, startQuickBooks } from './support/quickbooks-server.js';

const PAYMENT = {
  ...{ TotalAmt: '#10.00', TxnDate: '2026-03-01' },
  CurrencyRef: { value: 'USD', name: 'United States Dollar' },
};

describe('Scheduled polls', () => {
  let test: TestService;
  let server: QuickBooks;
  let ledger: Ledger;

  beforeAll(async () => {
    test = await openTestService('embedded');
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    server = await startQuickBooks(test.clock);
    ledger = await openLedger(test);
  });
  afterEach(async () => {
    await ledger.connect();
    await server.stop();
  });

  const waiting = async () =>
    (await pollJobs(test, ledger)).map(({ connection_id, state }) => `${connection_id} ${state}`);

  /** The jobs are made without retries, because a worker may take them immediately. */
  async function askForTheLastTry() {
    const setRetries = (retries: number) =>
      test.service.db.query(sql`
        update queue set retry_limit = ${retries} where name = 'accounting-poll'`);
    await setRetries(0);
    await askForDue(test);
    await setRetries(ACCOUNTING_POLLS.retries);
  }

  it('Each connection has at most one waiting job', async () => {
    const second = company(server, { id: 'other', poll_seconds: 600 });
    await ledger.connect(company(server), second);
    await askForDue(test);
    await askForDue(test);
    await Promise.all([askForDue(test), askForDue(test)]);
    expect((await waiting()).sort()).toEqual(['company created', 'other created']);
  });

  it('A poll is scheduled when the configured seconds have passed since the last one', async () => {
    await ledger.connect(company(server, { poll_seconds: 60 }));
    await ledger.poll('company');
    await askForDue(test);
    test.clock.advance(59_999);
    await askForDue(test);
    expect(await waiting()).toEqual([]);
    test.clock.advance(1);
    await askForDue(test);
    expect(await waiting()).toEqual(['company created']);
  });

  it('A connection removed from the settings is not polled', async () => {
    await ledger.connect(company(server));
    await ledger.connect();
    await askForDue(test);
    expect(await waiting()).toEqual([]);
  });

  it('A failing poll is retried, becomes dead, and stays listed until a poll succeeds', async () => {
    server.put('Payment', 1, PAYMENT);
    await ledger.connect(company(server));
    const worker = await test.another();
    const { service } = worker;
    await accountingJobs(service.jobs, service);
    server.failOnce('token', ...Array.from({ length: 9 }, () => ({ status: 500, body: '' })));
    await askForDue(test);

    await expect.poll(waiting).toEqual(['company retry']);
    // A poll that will be retried is not scheduled again before it is due.
    await askForDue(test);
    expect(await waiting()).toEqual(['company retry']);
    expect(tokenRequests()).toBe(1);
    for (let tries = 2; tries <= 9; tries += 1) {
      test.clock.advance(300_000);
      await askForDue(test);
      await expect.poll(tokenRequests).toBe(tries);
      if (tries < 9) {
        await expect.poll(waiting).toEqual(['company retry']);
      }
    }
    await expect.poll(deadJobs).toHaveLength(1);
    const [dead] = await deadJobs();
    expect(dead).toMatchObject({
      queue: 'accounting-poll',
      data: { connection_id: 'company' },
      tries: 9,
      error: (await ledger.connections())[0]?.problem,
    });
    expect(dead?.error).toMatch(/token endpoint failed with status 500/);

    // The connection is due again, and its successful poll clears the dead job.
    test.clock.advance(300_000);
    await askForDue(test);
    await expect.poll(ledger.amounts).toEqual(['10 USD']);
    await expect.poll(deadJobs).toEqual([]);
    expect((await ledger.connections())[0]?.problem).toBeNull();
    const again = await ledger.organisation.live.post(`/jobs/${dead?.job_id}/retry`, {});
    expect(again.status).toBe(404);
  });

  it('Polls resume within one interval after an outage, however long the retry delay had grown', async () => {
    server.put('Payment', 1, PAYMENT);
    await ledger.connect(company(server, { poll_seconds: 60 }));
    const worker = await test.another();
    await accountingJobs(worker.service.jobs, worker.service);
    server.failOnce('token', { status: 500, body: '' });
    await askForDue(test);
    await expect.poll(waiting).toEqual(['company retry']);
    await test.service.db.query(sql`
      update job set start_after = now() + interval '15 minutes'
      where name = 'accounting-poll' and state = 'retry'`);
    test.clock.advance(60_000);
    await askForDue(test);
    await expect.poll(ledger.amounts).toEqual(['10 USD']);
    expect((await ledger.connections())[0]).toMatchObject({ problem: null });
  });

  it('Polls keep their schedule while the settings cannot be opened', async () => {
    await ledger.connect(company(server));
    const keyring = new Keyring([Buffer.alloc(32, 9)]);
    const otherKey = { ...test.service, keyring };
    await expect(
      pollConnection(otherKey.db.ledger(ledger.scope), otherKey, 'company'),
    ).rejects.toThrow();
    expect((await ledger.connections())[0]?.problem).toMatch(/master key/);
    await askForDue(test);
    expect(await waiting()).toEqual([]);
  });

  it('A dead poll runs again on request', async () => {
    server.put('Payment', 1, PAYMENT);
    await ledger.connect(company(server));
    server.failOnce('token', { status: 500, body: '' });
    await askForTheLastTry();
    await expect.poll(deadJobs).toHaveLength(1);
    const [dead] = await deadJobs();
    const answer = await ledger.organisation.live.post(`/jobs/${dead?.job_id}/retry`, {});
    expect(dataOf(answer, RetriedJob)).toEqual({ job_id: dead?.job_id, queue: 'accounting-poll' });
    await expect.poll(ledger.amounts).toEqual(['10 USD']);
    expect(await deadJobs()).toEqual([]);
  });

  it('A successful poll leaves the dead polls of another connection', async () => {
    await ledger.connect(company(server), company(server, { id: 'other' }));
    server.failOnce('token', { status: 500, body: '' }, { status: 500, body: '' });
    await askForTheLastTry();
    await expect.poll(deadJobs).toHaveLength(2);
    await ledger.poll('company');
    expect((await deadJobs()).map(({ data }) => data)).toEqual([{ connection_id: 'other' }]);
  });

  const tokenRequests = () =>
    server.requests.filter(({ operation }) => operation === 'token').length;

  async function deadJobs() {
    return dataOf(await ledger.organisation.live.get('/jobs/dead'), DeadJobPage).jobs;
  }
});
