import { IssuedKey } from '@decision-ledger/contract/access';
import { ConnectionState } from '@decision-ledger/contract/accounting';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { askForDue, books, type Ledger, openLedger, pollJobs, sale } from './support/accounting.js';
import { describeHledger, type HledgerWeb, startHledgerWeb } from './support/hledger-web.js';

const PATH = '/accounting/connections/books/poll';

describeHledger('POST /accounting/connections/{id}/poll', () => {
  let test: TestService;
  let web: HledgerWeb;
  let ledger: Ledger;

  beforeAll(async () => {
    web = await startHledgerWeb();
    test = await openTestService('embedded');
  });
  afterAll(async () => {
    await web.stop();
    await test.close();
  });
  beforeEach(async () => {
    web.write('');
    ledger = await openLedger(test);
    await ledger.connect(books(web.url, { poll_seconds: 86_400 }));
  });
  afterEach(async () => {
    await ledger.connect();
  });

  const ask = async () =>
    dataOf(await ledger.organisation.live.post(PATH, ''), ConnectionState, 202);
  const states = async () => (await pollJobs(test, ledger)).map(({ state }) => state);

  it('Repeated requests leave one pending poll and report it', async () => {
    const answer = await ask();
    expect(answer).toMatchObject({ id: 'books', kind: 'hledger', is_poll_pending: true });
    await Promise.all([ask(), ask(), ask()]);
    await askForDue(test);
    expect(await states()).toEqual(['created']);
    expect(await ledger.connections()).toEqual([answer]);
  });

  it('A poll needs the admin permission and a connection of this ledger', async () => {
    const { live } = ledger.organisation;
    const body = { name: 'reader', permissions: ['read', 'ingest'] };
    const { key } = dataOf(await live.post('/keys', body), IssuedKey, 201);
    expectRefusal(await test.client(key).post(PATH, ''), 'forbidden');
    expectRefusal(await live.post('/accounting/connections/none/poll', ''), 'not_found');
    expectRefusal(await ledger.organisation.test.post(PATH, ''), 'not_found');
    const other = await test.organisation();
    expectRefusal(await other.live.post(PATH, ''), 'not_found');
    expect(await states()).toEqual([]);
  });

  it('A poll counts towards the write rate limit', async () => {
    const other = await test.organisation('default');
    const limits = { rate_limits: { ingest_per_second: 1 } };
    expect((await other.live.patch('/settings', limits)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 5 }, () => other.live.post(PATH, '')));
    expect(answers.map(({ status }) => status)).toContain(429);
  });

  it('A requested poll runs immediately, even during the pause after a failure', async () => {
    await ledger.poll();
    await test.another({ isWorker: true });
    web.write(sale('INV-1', '$10'));
    await ask();
    await expect.poll(ledger.amounts).toEqual(['10 USD']);
    const connection = async () => (await ledger.connections())[0];
    await expect.poll(connection).toMatchObject({ is_poll_pending: false });
    await ledger.connect(books('http://127.0.0.1:1', { poll_seconds: 86_400 }));
    await ask();
    await expect.poll(states).toContain('retry');
    await ledger.connect(books(web.url, { poll_seconds: 86_400 }));
    web.write(sale('INV-1', '$10') + sale('INV-2', '$20'));
    await ask();
    await expect.poll(ledger.amounts).toEqual(['10 USD', '20 USD']);
    await expect.poll(async () => (await connection())?.problem).toBeNull();
  });
});
