import { Pnl } from '@decision-ledger/contract/analytics';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/platform/database';
import { dataOf } from '../../support/client.js';
import { refusingStatements } from '../../support/own-database.js';
import { openTestService, type TestService } from '../../support/service.js';
import { company, type Ledger, openLedger, reasonOf } from './support/accounting.js';
import { type QuickBooks, startQuickBooks } from './support/quickbooks-server.js';

const MINUTE = 60_000;
const USD = { value: 'USD', name: 'United States Dollar' };
const PAYMENT = { TotalAmt: '#10.00', TxnDate: '2026-03-01', CurrencyRef: USD };
/** Every secret of the connection, before and after a rotation. */
const SECRETS = /client-secret-1|refresh-\d|access-\d/;

describe('Poll of a QuickBooks company', () => {
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
    await ledger.connect(company(server));
  });
  afterEach(() => server.stop());

  const poll = (db?: Database) => ledger.poll('company', db === undefined ? {} : { db });

  it('A poll records the exact movements, and reading them again changes nothing', async () => {
    server.put('Payment', 1, { ...PAYMENT, TotalAmt: '#12345678901234567.89' });
    server.put('Purchase', 2, { ...PAYMENT, TotalAmt: '#0.07', AccountRef: { value: '1' } });
    await poll();
    const expected = ['-0.07 USD', '12345678901234567.89 USD'];
    expect(await ledger.amounts()).toEqual(expected);
    const events = await ledger.events();
    for (let round = 0; round < 3; round += 1) {
      test.clock.advance(MINUTE);
      await poll();
    }
    // The polls did read the same changes again.
    const changes = server.requests.filter(({ operation }) => operation === 'cdc');
    expect(changes).toHaveLength(3);
    expect(await ledger.events()).toEqual(events);
  });

  it('What was invoiced, paid and deposited counts once, and what was kept as a fee is a cost', async () => {
    const account = {
      Classification: 'Expense',
      AccountType: 'Expense',
      FullyQualifiedName: 'Fees',
    };
    server.put('Account', 2, account);
    const sold = { ...PAYMENT, TotalAmt: '#119.00' };
    server.put('Invoice', 1, sold);
    server.put('Bill', 3, { ...PAYMENT, TotalAmt: '#40.00' });
    await poll();
    const total = async () =>
      dataOf(await ledger.organisation.live.get('/analytics/ai-pnl'), Pnl).total;
    expect(await total()).toBe('0.00');
    const LinkedTxn = [{ TxnId: '1', TxnType: 'Invoice' }];
    server.put('Payment', 2, { ...sold, Line: [{ Amount: '#119.00', LinkedTxn }] });
    const kept = { AccountRef: { value: '2' } };
    const Line = [
      { Amount: '#119.00', LinkedTxn: [{ TxnId: '2', TxnType: 'Payment' }] },
      { Id: '1', Amount: '#-2.50', DepositLineDetail: kept },
    ];
    server.put('Deposit', 4, { ...PAYMENT, TotalAmt: '#116.50', Line });
    const between = { FromAccountRef: { value: '36' }, ToAccountRef: { value: '35' } };
    server.put('Transfer', 5, { ...PAYMENT, ...between, Amount: '#100.00', TotalAmt: undefined });
    await poll();
    expect(await total()).toBe('116.50');
  });

  it('A poll takes over edits, deletions and restored objects', async () => {
    server.put('Payment', 1, PAYMENT);
    server.put('Payment', 2, { ...PAYMENT, TotalAmt: '#20' });
    await poll();
    test.clock.advance(MINUTE);
    // A change by less than a tenth of all.
    server.put('Payment', 1, { ...PAYMENT, TotalAmt: '#11.00' });
    server.remove('Payment', 2);
    await poll();
    expect(await ledger.amounts()).toEqual(['11 USD']);
    test.clock.advance(MINUTE);
    server.put('Payment', 2, { ...PAYMENT, TotalAmt: '#20' });
    await poll();
    expect(await ledger.amounts()).toEqual(['11 USD', '20 USD']);
    const events = await ledger.events();
    expect(events).toHaveLength(4);
    expect(events.filter(({ supersedes }) => supersedes !== undefined)).toHaveLength(2);
  });

  it('What is withheld is read again, until it is released', async () => {
    for (let id = 1; id <= 12; id += 1) server.put('Payment', id, PAYMENT);
    await poll();
    test.clock.advance(MINUTE);
    for (let id = 1; id <= 4; id += 1) server.remove('Payment', id);
    server.put('Payment', 13, PAYMENT);
    for (let round = 1; round <= 3; round += 1) {
      await poll();
      expect(await ledger.amounts()).toHaveLength(13);
      const withheld = await ledger.withheld('company');
      expect(withheld).toMatchObject({ deleted: 4, reasons: ['deletions', 'sums'], polls: round });
      // Beyond what each poll reads again in any case.
      test.clock.advance(60 * MINUTE);
    }
    const { plan = '' } = (await ledger.withheld('company')) ?? {};
    expect(await ledger.release(plan, 'company')).toBe(202);
    await poll();
    expect(await ledger.amounts()).toHaveLength(9);
    expect(await ledger.withheld('company')).toBeNull();
  });

  it('A poll reports unusable objects and records the rest', async () => {
    server.put('Payment', 1, { ...PAYMENT, TotalAmt: '#1.1234567890123' });
    server.put('Payment', 2, PAYMENT);
    await poll();
    expect(await ledger.amounts()).toEqual(['10 USD']);
    const [state] = await ledger.connections();
    expect(state?.problem).toMatch(/Payment/);
  });

  it('A failed poll states the reason and changes nothing, and the next one loses nothing', async () => {
    server.put('Payment', 1, PAYMENT);
    await poll();
    const before = await connectionRow();
    test.clock.advance(MINUTE);
    server.put('Payment', 2, { ...PAYMENT, TotalAmt: '#2.00' });
    const faults = [{ status: 500, body: 'oops' }, 'cut', 'hang up'] as const;
    for (const fault of faults) {
      server.failOnce('cdc', fault);
      const reason = await reasonOf(poll());
      expect((await ledger.connections())[0]?.problem).toBe(reason);
      expect(reason).toMatch(/QuickBooks/);
      expect(await connectionRow()).toMatchObject({ cursor: before.cursor });
      expect(await ledger.amounts()).toEqual(['10 USD']);
    }
    await poll();
    expect(await ledger.amounts()).toEqual(['10 USD', '2 USD']);
    expect((await ledger.connections())[0]?.problem).toBeNull();
  });

  it('A poll stores each new refresh token sealed and uses it the next time', async () => {
    await poll();
    expect(server.state.refreshToken).toBe('refresh-1');
    await poll();
    expect(server.state.refreshToken).toBe('refresh-2');
    const other = await test.another();
    await ledger.poll('company', { db: other.service.db });
    expect(server.state.refreshToken).toBe('refresh-3');
    const { refresh_token } = await connectionRow();
    expect(refresh_token).not.toBeNull();
    expect(Buffer.from(refresh_token ?? '', 'hex').toString('latin1')).not.toMatch(SECRETS);
  });

  it('A poll uses a refresh token set by an administrator, and then its successors', async () => {
    await poll();
    server.state.refreshToken = 'refresh-70';
    server.state.issued = 70;
    expect(await reasonOf(poll())).toMatch(/no longer accepts the refresh_token/);
    await ledger.connect(company(server, { refresh_token: 'refresh-70' }));
    await poll();
    await poll();
    expect(server.state.refreshToken).toBe('refresh-72');
    expect((await ledger.connections())[0]?.problem).toBeNull();
  });

  it('A poll keeps the new token even if its records could not be stored', async () => {
    server.put('Payment', 1, PAYMENT);
    const { db } = test.service;
    const refusing = refusingStatements(db, (text) =>
      text.includes('insert into financial_events') ? new Error('no event today') : null,
    );
    await expect(poll(refusing)).rejects.toThrow('no event today');
    expect(server.state.refreshToken).toBe('refresh-1');
    await poll();
    expect(await ledger.amounts()).toEqual(['10 USD']);
  });

  it('A poll retries storing the token when the database briefly refuses', async () => {
    const { db } = test.service;
    let refusals = 2;
    const flaky = refusingStatements(db, (text) => {
      if (!text.includes('set refresh_token') || refusals === 0) return null;
      refusals -= 1;
      return new Error('the database is busy');
    });
    await poll(flaky);
    expect(refusals).toBe(0);
    await poll();
    expect(server.state.refreshToken).toBe('refresh-2');
  });

  it('A poll leaves no secret in any table, answer, log line or error', async () => {
    server.put('Payment', 1, PAYMENT);
    await poll();
    server.failOnce('cdc', { status: 400, body: JSON.stringify({ echoed: 'refresh-1 access-1' }) });
    expect(await reasonOf(poll())).not.toMatch(SECRETS);
    server.failOnce('token', { status: 400, body: '{"error":"refresh-2 client-secret-1"}' });
    expect(await reasonOf(poll())).not.toMatch(SECRETS);
    await poll();
    expect(await everything()).not.toMatch(SECRETS);
    expect(test.logLines.join('\n')).not.toMatch(SECRETS);
    const { live } = ledger.organisation;
    for (const path of ['/accounting/connections', '/settings', '/activity?limit=500']) {
      expect((await live.get(path)).text).not.toMatch(SECRETS);
    }
  });

  it('A poll refuses a private address that the operator does not allow', async () => {
    await ledger.connect(
      company(server, { token_url: 'http://127.0.0.2:1/token', api_url: 'http://127.0.0.2:1' }),
    );
    expect(await reasonOf(poll())).toMatch(/private network.*LEDGER_ALLOW_PRIVATE_ADDRESSES/);
    expect(server.requests).toEqual([]);
    expect((await ledger.connections())[0]?.problem).toMatch(/private network/);
  });

  async function connectionRow() {
    const [row] = await test.service.db.query<{
      cursor: string | null;
      refresh_token: string | null;
    }>(sql`
      select cursor, encode(refresh_token, 'hex') as refresh_token from accounting_connections
      where ledger_id = ${ledger.scope.ledgerId}`);
    if (row === undefined) throw new Error('the connection was never polled');
    return row;
  }

  /** Every row of every table, with bytes decoded as text. */
  async function everything(): Promise<string> {
    const { db } = test.service;
    const tables = await db.query<{ name: string }>(sql`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'public_jobs')
        and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')`);
    expect(tables.map(({ name }) => name)).toContain('public.accounting_connections');
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>({
        text: `select encode(convert_to(t::text, 'UTF8'), 'escape') as row from ${name} t`,
        values: [],
      });
      texts.push(...rows.map(({ row }) => row));
    }
    const [{ token } = { token: '' }] = await db.query<{ token: string }>(sql`
      select encode(refresh_token, 'escape') as token from accounting_connections
      where ledger_id = ${ledger.scope.ledgerId}`);
    return [...texts, token].join('\n');
  }
});
