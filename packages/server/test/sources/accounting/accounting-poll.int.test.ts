import { ActivityPage } from '@decision-ledger/contract/chain';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { amountsOf, books, type Ledger, openLedger, sale, suggest } from './support/accounting.js';
import { describeHledger, type HledgerWeb, startHledgerWeb } from './support/hledger-web.js';

const RENT = `2026-01-02 Landlord | Office rent
    expenses:rent         €800
    assets:bank
`;

describeHledger('Poll of a journal', () => {
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
    await ledger.connect(books(web.url));
  });

  it('A poll records the books exactly and announces new events', async () => {
    web.write(RENT + sale('INV-1', '$1,200.50') + sale('INV-2', 'GBP 0.0000000001'));
    await ledger.poll();
    expect(await ledger.events()).toEqual([
      expect.objectContaining({
        source: 'accounting/books',
        event_type: 'expense',
        amount: '-800',
        currency: 'EUR',
        timestamp: '2026-01-02T00:00:00.000Z',
        description: 'Landlord | Office rent',
        metadata: {
          account: 'expenses:rent',
          basis: 'cash',
          transaction: expect.objectContaining({ total: '-800', settled: '-800' }),
        },
        deleted_at: null,
      }),
      expect.objectContaining({ amount: '1200.5', currency: 'USD', external_id: 'INV-1' }),
    ]);
    const [state] = await ledger.connections();
    expect(state).toMatchObject({
      ...{ id: 'books', kind: 'hledger', polled_at: '2026-04-16T09:30:00.000Z' },
      problem: expect.stringMatching(
        /^books\.journal line 7: 2026-02-03 \(INV-2\).*rounds to 10 decimal places/,
      ),
      problem_count: 1,
    });
  });

  it('A poll keeps the greatest and the smallest amount to the digit', async () => {
    web.write(
      sale('BIG', 'USD 99999999999999999999.12') +
        sale('SMALL', 'JPY 0.000000001') +
        sale('BACK', 'USD -0.10'),
    );
    await ledger.poll();
    expect(await ledger.amounts()).toEqual([
      '-0.1 USD',
      '0.000000001 JPY',
      '99999999999999999999.12 USD',
    ]);
  });

  it('A poll without changes writes no event and no activity, and announces nothing', async () => {
    web.write(RENT + sale('INV-1', '$10'));
    await ledger.poll();
    const { live } = ledger.organisation;
    const events = await ledger.events();
    const activity = dataOf(await live.get('/activity?limit=500'), ActivityPage);
    test.clock.advance(1000);
    await ledger.poll();
    await ledger.poll();
    expect(await ledger.events()).toEqual(events);
    expect(dataOf(await live.get('/activity?limit=500'), ActivityPage)).toEqual(activity);
  });

  it('A poll records a new transaction beside the known ones', async () => {
    web.write(sale('INV-1', '$10'));
    await ledger.poll();
    const [first] = await ledger.events();
    web.write(RENT + sale('INV-1', '$10'));
    await ledger.poll();
    expect(await ledger.amounts()).toEqual(['-800 EUR', '10 USD']);
    expect((await ledger.events())[0]).toEqual(first);
  });

  it('A poll supersedes the event of an edited transaction', async () => {
    web.write(sale('INV-1', '$10') + sale('INV-2', '$20'));
    await ledger.poll();
    web.write(sale('INV-1', '$11.25') + sale('INV-2', '$20'));
    await ledger.poll();
    const events = await ledger.events();
    expect(amountsOf(events)).toEqual(['10 USD', '11.25 USD', '20 USD']);
    const former = events.find(({ amount }) => amount === '10');
    const latter = events.find(({ amount }) => amount === '11.25');
    expect(former).toMatchObject({
      superseded_by: latter?.id,
      deleted_at: expect.stringMatching(/Z$/),
    });
    expect(latter).toMatchObject({ supersedes: former?.id, deleted_at: null });
    expect(await ledger.amounts()).toEqual(['11.25 USD', '20 USD']);
  });

  it('A superseding event inherits links made by people, and suggestions are dropped', async () => {
    web.write(sale('INV-1', '$10'));
    await ledger.poll();
    const [event] = await ledger.events();
    if (event === undefined) throw new Error('nothing was recorded');
    const { live } = ledger.organisation;
    const part = { correlation_strength: 0.3 };
    const direct = await ledger.link(event.id, { ...part, notes: 'made by hand' });
    const confirmed = await ledger.link(event.id, part);
    await suggest(test, direct);
    await suggest(test, confirmed);
    const listed = dataOf(await live.get('/links?status=ML_SUGGESTED'), LinkPage).links;
    const toConfirm = listed.find(({ decision_id }) => decision_id === confirmed.decision_id);
    dataOf(await live.post(`/links/${toConfirm?.id}/confirm`, {}), Link);

    web.write(sale('INV-1', '$10.50'));
    await ledger.poll();
    const successor = (await ledger.events()).find(({ supersedes }) => supersedes === event.id);
    const links = await ledger.links();
    const standing = links.filter(({ deleted_at }) => deleted_at === null);
    const shape = ({ decision_id, link_type, status, correlation_strength }: Link) => [
      decision_id,
      link_type,
      status,
      correlation_strength,
    ];
    expect(new Set(standing.map(({ financial_event_id }) => financial_event_id))).toEqual(
      new Set([successor?.id]),
    );
    expect(standing.map(shape).sort()).toEqual(
      [
        [direct.decision_id, 'revenue', 'CONFIRMED', 0.3],
        [confirmed.decision_id, 'revenue', 'CONFIRMED', 0.3],
        [confirmed.decision_id, 'saving', 'ML_INFERRED', 0.4],
      ].sort(),
    );
    expect(standing.find(({ decision_id }) => decision_id === direct.decision_id)).toMatchObject({
      notes: 'made by hand',
      created_by: direct.created_by,
    });
    expect(links.filter(({ deleted_at }) => deleted_at !== null)).toHaveLength(4);
  });

  it('A poll removes the event of a deleted transaction and revives one that returns', async () => {
    const other = sale('INV-2', '$30');
    web.write(RENT + sale('INV-1', '$10') + other);
    await ledger.poll();
    web.write(RENT + other);
    await ledger.poll();
    expect(await ledger.amounts()).toEqual(['-800 EUR', '30 USD']);
    const removed = (await ledger.events()).find(({ amount }) => amount === '10');
    expect(removed).toMatchObject({ deleted_at: expect.stringMatching(/Z$/) });
    expect(removed).not.toHaveProperty('superseded_by');

    web.write(RENT + other + sale('INV-1', '$10'));
    await ledger.poll();
    expect(await ledger.amounts()).toEqual(['-800 EUR', '10 USD', '30 USD']);
    const events = await ledger.events();
    expect(events).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({ amount: '10', supersedes: removed?.id });
    await ledger.poll();
    expect(await ledger.events()).toHaveLength(4);
  });

  it('The correction of a description without a code keeps the confirmed link', async () => {
    web.write(RENT + sale('INV-1', '$10'));
    await ledger.poll();
    const [rent] = await ledger.events();
    const link = await ledger.link(rent?.id ?? '', { link_type: 'cost' });
    web.write(sale('INV-1', '$10') + RENT.replace('Office rent', 'Rent of the office'));
    await ledger.poll();
    const corrected = (await ledger.events()).find(({ supersedes }) => supersedes === rent?.id);
    expect(corrected?.description).toBe('Landlord | Rent of the office');
    const standing = (await ledger.links()).filter(({ deleted_at }) => deleted_at === null);
    expect(standing).toMatchObject([
      { decision_id: link.decision_id, financial_event_id: corrected?.id, status: 'CONFIRMED' },
    ]);
  });

  it('A journal that is empty, or half of it, for one poll changes nothing', async () => {
    const sales = Array.from({ length: 9 }, (_none, n) => sale(`N-${n}`, `$${n + 1}`));
    const journal = `${RENT}${sales.join('')}${RENT.replace('01-02', '02-02')}`;
    web.write(journal);
    await ledger.poll();
    const events = await ledger.events();
    await ledger.link(events[0]?.id ?? '', { link_type: 'cost' });
    for (const part of ['', RENT, sales.slice(4).join('')]) {
      web.write(part);
      await ledger.poll();
      expect(await ledger.events()).toEqual(events);
      expect((await ledger.withheld())?.deleted).toBe(
        11 - part.split('\n').filter((line) => line.startsWith('2026')).length,
      );
    }
    web.write(journal);
    await ledger.poll();
    expect(await ledger.events()).toEqual(events);
    expect((await ledger.connections())[0]).toMatchObject({ problem: null, withheld: null });
  });

  it('A posting in a currency that the ledger refuses is a problem of its own', async () => {
    web.write(sale('A-1', '$10') + sale('A-2', '3.00 HRK') + sale('A-3', '$30'));
    await ledger.poll();
    expect(await ledger.amounts()).toEqual(['10 USD', '30 USD']);
    const [state] = await ledger.connections();
    expect(state).toMatchObject({ problem_count: 1 });
    expect(state?.problem).toMatch(
      /^books\.journal line 4: 2026-02-03 \(A-2\) Acme \| Sale A-2, revenues:saas: HRK was in use until 2023-01-14/,
    );
  });

  it('An edit that cannot be recorded leaves the event as it is', async () => {
    web.write(sale('A-1', '$10') + sale('A-2', '$30'));
    await ledger.poll();
    const events = await ledger.events();
    web.write(sale('A-1', '10 HRK') + sale('A-2', '30 shells'));
    await ledger.poll();
    expect(await ledger.events()).toEqual(events);
    expect((await ledger.connections())[0]).toMatchObject({ problem_count: 2, withheld: null });
  });

  it('A poll records any number of records in several steps', async () => {
    const sales = Array.from({ length: 173 }, (_none, index) => sale(`N-${index}`, `$${index}.01`));
    web.write(sales.join(''));
    await ledger.poll();
    expect(await ledger.amounts()).toHaveLength(173);
    await ledger.connect(books(web.url, { large_changes: 'apply' }));
    web.write(sales.slice(60).join('').replaceAll('.01', '.02'));
    await ledger.poll();
    await ledger.poll();
    const amounts = await ledger.amounts();
    expect(amounts).toEqual(
      Array.from({ length: 113 }, (_none, index) => `${index + 60}.02 USD`).sort(),
    );
    expect(await ledger.events()).toHaveLength(173 + 113);
  });

  it('A poll reports unusable records and records the rest', async () => {
    const bitcoin = Array.from({ length: 23 }, (_none, index) => sale(`B-${index}`, 'BTC 1'));
    web.write(`${bitcoin.join('')}${sale('INV-1', '$10')}`);
    await ledger.poll();
    expect(await ledger.amounts()).toEqual(['10 USD']);
    const [state] = await ledger.connections();
    const lines = state?.problem?.split('\n') ?? [];
    expect(lines[0]).toMatch(/line 1: 2026-02-03 \(B-0\) .*commodity BTC is not a currency/);
    expect(lines).toHaveLength(21);
    expect(lines[20]).toBe('and 3 more');
    expect(state?.problem_count).toBe(23);
    web.write(sale('INV-1', '$10'));
    await ledger.poll();
    expect((await ledger.connections())[0]).toMatchObject({ problem: null, problem_count: 0 });
  });

  it('Removing the connection keeps its events and stops its polls', async () => {
    web.write(sale('INV-1', '$10'));
    await ledger.poll();
    await ledger.connect();
    web.write(sale('INV-1', '$11'));
    await ledger.poll();
    expect(await ledger.amounts()).toEqual(['10 USD']);
    expect(await ledger.connections()).toEqual([]);
  });

  it('A poll refuses a private address that the operator does not allow', async () => {
    web.write(sale('INV-1', '$10'));
    await ledger.connect(books(web.url.replace('127.0.0.1', '127.0.0.2')));
    await expect(ledger.poll()).rejects.toThrow(/is in a private network/);
    expect(await ledger.events()).toEqual([]);
    const [state] = await ledger.connections();
    expect(state?.problem).toMatch(
      /in a private network.*LEDGER_ALLOW_PRIVATE_ADDRESSES=127\.0\.0\.2/,
    );
  });

  it('Two connections of a ledger are polled separately, and those of another ledger not at all', async () => {
    const other = await openLedger(test);
    await ledger.connect(
      books(web.url),
      books(web.url, { id: 'bank', accounts: ['assets'], large_changes: 'apply' }),
    );
    web.write(sale('INV-1', '$10'));
    await ledger.poll('books');
    await ledger.poll('bank');
    await other.poll('books');
    expect((await ledger.events()).map(({ source }) => source).sort()).toEqual([
      'accounting/bank',
      'accounting/books',
    ]);
    expect(await other.events()).toEqual([]);
    web.write('');
    await ledger.poll('bank');
    await ledger.poll('bank');
    expect(await ledger.amounts()).toEqual(['10 USD']);
  });
});
