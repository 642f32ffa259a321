import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { quickbooks } from '#server/domains/sources/accounting/connectors/quickbooks/connector';
import type { Outbound } from '#server/platform/outbound';
import { follow } from './support/follow.js';
import { testOutbound } from './support/outbound.js';
import { CLIENT, type QuickBooks, REALM, startQuickBooks } from './support/quickbooks-server.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const USD = { value: 'USD', name: 'United States Dollar' };
const PAYMENT = { TotalAmt: '#10.00', TxnDate: '2026-03-01', CurrencyRef: USD };
const SECRETS = [CLIENT.secret, /refresh-\d/, /access-\d/];

const clock = { time: 0, now: () => clock.time };
let server: QuickBooks;
let saved: string[];

beforeEach(async () => {
  clock.time = Date.UTC(2026, 2, 10, 12);
  server = await startQuickBooks(clock);
  saved = [];
});
afterEach(() => server.stop());

function connect(
  options: {
    secret?: string;
    refreshToken?: string;
    outbound?: Outbound;
    save?: (token: string) => Promise<void>;
    urls?: Partial<QuickBooks['urls']>;
  } = {},
) {
  const save = async (token: string) => {
    saved.push(token);
  };
  return quickbooks.create(
    {
      id: 'company',
      kind: 'quickbooks',
      realm_id: REALM,
      client_id: CLIENT.id,
      client_secret: options.secret ?? CLIENT.secret,
      refresh_token: options.refreshToken ?? 'refresh-0',
      environment: 'production',
      poll_seconds: 300,
      large_changes: 'confirm',
      ...(options.urls ?? server.urls),
    },
    {
      outbound: options.outbound ?? testOutbound,
      clock,
      stripe: {
        mode: 'live',
        keepTransactions: () => Promise.reject(new Error('this is no connection to Stripe')),
        keepPayout: () => Promise.reject(new Error('this is no connection to Stripe')),
      },
      rotatingToken: (token) => ({ newest: () => token, save: options.save ?? save }),
    },
  );
}

function asked(operation: 'token' | 'cdc' | 'query'): (string | null)[] {
  return server.requests
    .filter((request) => request.operation === operation)
    .map(({ url }) => url.searchParams.get(operation === 'cdc' ? 'changedSince' : 'query'));
}

async function failure(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => expect.unreachable('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('it failed with something that is no error');
  for (const secret of SECRETS) {
    expect(error.message).not.toMatch(secret);
    expect(JSON.stringify(error)).not.toMatch(secret);
    expect(String(error.cause)).not.toMatch(secret);
  }
  return error;
}

describe('QuickBooks company', () => {
  it('Objects that moved money are records, signed as money to the organisation', async () => {
    const CustomerRef = { value: '5', name: 'Acme' };
    server.put('Payment', 1, {
      ...PAYMENT,
      CustomerRef,
      PaymentRefNum: 'CHK 7',
      PrivateNote: ' thanks ',
      Line: [
        { Amount: '#10.00', LinkedTxn: [{ TxnId: '130', TxnType: 'Invoice' }] },
        { Amount: '#0', LinkedTxn: [{ TxnId: '130', TxnType: 'Invoice' }] },
      ],
    });
    server.put('SalesReceipt', 2, { ...PAYMENT, CustomerRef, DocNumber: 'S-2' });
    server.put('RefundReceipt', 3, { ...PAYMENT, CustomerRef });
    const EntityRef = { value: '9', name: 'Paper Ltd', type: 'Vendor' };
    server.put('Purchase', 4, { ...PAYMENT, EntityRef, Credit: false });
    server.put('Purchase', 5, { ...PAYMENT, EntityRef, Credit: true });
    server.put('BillPayment', 6, { ...PAYMENT, VendorRef: { value: '9', name: 'Paper Ltd' } });
    const { records, problems, isComplete } = await connect().poll(null);
    expect([problems, isComplete]).toEqual([[], false]);
    const common = { currency: 'USD', timestamp: '2026-03-01T00:00:00.000Z' };
    const customer = { customer_id: '5', customer_name: 'Acme' };
    const vendor = { vendor_id: '9', vendor_name: 'Paper Ltd' };
    const whole = (total: string, fields: object = {}) => ({
      transaction: { currency: 'USD', total, settled: total, ...fields },
    });
    const cash = { basis: 'cash' };
    const settlement = { basis: 'settlement' };
    const settles = [
      { transaction: 'Invoice/130', amount: '10' },
      { transaction: 'Invoice/130', amount: '0' },
    ];
    expect(records.map(({ name, event }) => [name, event])).toEqual([
      [
        'Payment/1',
        {
          ...common,
          event_type: 'payment',
          amount: '10',
          external_id: 'CHK 7',
          description: 'thanks',
          metadata: {
            ...customer,
            linked_transactions: ['Invoice/130'],
            ...settlement,
            ...whole('10', { settles }),
          },
        },
      ],
      [
        'SalesReceipt/2',
        {
          ...common,
          event_type: 'sale',
          amount: '10',
          external_id: 'S-2',
          metadata: { ...customer, doc_number: 'S-2', ...cash, ...whole('10') },
        },
      ],
      [
        'RefundReceipt/3',
        {
          ...common,
          event_type: 'refund',
          amount: '-10',
          metadata: { ...customer, ...cash, ...whole('-10') },
        },
      ],
      [
        'Purchase/4',
        {
          ...common,
          event_type: 'purchase',
          amount: '-10',
          metadata: { ...vendor, ...cash, ...whole('-10') },
        },
      ],
      [
        'Purchase/5',
        {
          ...common,
          event_type: 'purchase',
          amount: '10',
          metadata: { ...vendor, ...cash, ...whole('10') },
        },
      ],
      [
        'BillPayment/6',
        {
          ...common,
          event_type: 'bill_payment',
          amount: '-10',
          metadata: { ...vendor, ...settlement, ...whole('-10') },
        },
      ],
    ]);
  });

  it('A record states the whole transaction: its total, tax, rate, and what a payment settles', async () => {
    server.put('SalesReceipt', 1, {
      ...PAYMENT,
      ...{ TotalAmt: '#119.00', TxnTaxDetail: { TotalTax: '#19.00' }, HomeTotalAmt: '#130.90' },
      ExchangeRate: '#1.10',
    });
    server.put('RefundReceipt', 2, {
      ...PAYMENT,
      ...{ TotalAmt: '#11.90', TxnTaxDetail: { TotalTax: '#1.90' } },
    });
    server.put('Payment', 3, {
      ...PAYMENT,
      TotalAmt: '#80.00',
      Line: [
        { Amount: '#100.00', LinkedTxn: [{ TxnId: '7', TxnType: 'Invoice' }] },
        { Amount: '#20.00', LinkedTxn: [{ TxnId: '8', TxnType: 'CreditMemo' }] },
      ],
    });
    server.put('BillPayment', 4, {
      ...PAYMENT,
      TotalAmt: '#30.00',
      Line: [
        { Amount: '#35.00', LinkedTxn: [{ TxnId: '9', TxnType: 'Bill' }] },
        { Amount: '#5.00', LinkedTxn: [{ TxnId: '10', TxnType: 'VendorCredit' }] },
      ],
    });
    const { records } = await connect().poll(null);
    expect(records.map(({ event }) => event?.metadata?.transaction)).toEqual([
      {
        ...{ currency: 'USD', total: '80', settled: '80' },
        settles: [
          { transaction: 'Invoice/7', amount: '100' },
          { transaction: 'CreditMemo/8', amount: '-20' },
        ],
      },
      {
        ...{ currency: 'USD', total: '119', tax: '19', untaxed: '100' },
        ...{ settled: '119', exchange_rate: '1.1', home_total: '130.9' },
      },
      {
        ...{ currency: 'USD', total: '-11.9', tax: '-1.9', untaxed: '-10' },
        settled: '-11.9',
      },
      {
        ...{ currency: 'USD', total: '-30', settled: '-30' },
        settles: [
          { transaction: 'Bill/9', amount: '-35' },
          { transaction: 'VendorCredit/10', amount: '5' },
        ],
      },
    ]);
  });

  it('What is owed, and what moves between own accounts, says so', async () => {
    const Line = [{ Amount: '#100.00', DetailType: 'SalesItemLineDetail' }];
    const owed = { ...PAYMENT, TotalAmt: '#119.00', TxnTaxDetail: { TotalTax: '#19.00' }, Line };
    server.put('Invoice', 1, { ...owed, DocNumber: '1037', Balance: '#119.00' });
    server.put('CreditMemo', 2, owed);
    server.put('Bill', 3, owed);
    server.put('VendorCredit', 4, owed);
    const between = { FromAccountRef: { value: '36' }, ToAccountRef: { value: '35' } };
    server.put('Transfer', 5, {
      ...between,
      Amount: '#250.00',
      TxnDate: '2026-03-02',
      CurrencyRef: USD,
    });
    const { records, problems } = await connect().poll(null);
    expect(problems).toEqual([]);
    const due = (total: string, sign: string) => ({
      ...{ currency: 'USD', total, tax: `${sign}19`, untaxed: `${sign}100`, due: total },
    });
    expect(
      records.map(({ name, event }) => [
        ...[name, event?.event_type, event?.amount, event?.metadata?.basis],
        event?.metadata?.transaction,
      ]),
    ).toEqual([
      ['Invoice/1', 'invoice', '119', 'accrual', due('119', '')],
      ['CreditMemo/2', 'credit_memo', '-119', 'accrual', due('-119', '-')],
      ['Bill/3', 'bill', '-119', 'accrual', due('-119', '-')],
      ['VendorCredit/4', 'vendor_credit', '119', 'accrual', due('119', '')],
      [
        ...['Transfer/5', 'transfer', '250', 'own_accounts'],
        { currency: 'USD', total: '250', settled: '250' },
      ],
    ]);
  });

  describe('Deposits and journal entries', () => {
    const account = (value: string) => ({ AccountRef: { value, name: `account ${value}` } });
    beforeEach(() => {
      const accounts = [
        ['1', 'Revenue', 'Income', 'SalesOfProductIncome', 'Sales'],
        ['2', 'Expense', 'Expense', 'BankCharges', 'Processing fees'],
        ['3', 'Equity', 'Equity', 'OpeningBalanceEquity', 'Opening Balance Equity'],
        ['4', 'Asset', 'Accounts Receivable', 'AccountsReceivable', 'Accounts Receivable (A/R)'],
        ['5', 'Asset', 'Bank', 'Checking', 'Checking'],
        ['6', 'Liability', 'Other Current Liability', 'GlobalTaxPayable', 'VAT Control'],
        ['7', 'Asset', 'Fixed Asset', 'AccumulatedDepreciation', 'Truck:Depreciation'],
        ['8', 'Expense', 'Expense', 'OtherMiscellaneousServiceCost', 'Depreciation'],
      ] as const;
      for (const [
        id,
        Classification,
        AccountType,
        AccountSubType,
        FullyQualifiedName,
      ] of accounts) {
        const names = { FullyQualifiedName, Classification, AccountType, AccountSubType };
        server.put('Account', id, { ...names, Active: id !== '2' });
      }
    });
    const DEPOSIT = {
      ...PAYMENT,
      DepositToAccountRef: { value: '5' },
      TotalAmt: '#199.50',
      Line: [
        { Amount: '#262.00', LinkedTxn: [{ TxnId: '154', TxnType: 'Payment', TxnLineId: '0' }] },
        {
          ...{ Id: '1', LineNum: '#1', Amount: '#-62.50', Description: 'kept' },
          ...{ DetailType: 'DepositLineDetail', DepositLineDetail: account('2') },
        },
      ],
    };
    const posting = (Id: string, PostingType: string, amount: string, id: string) => ({
      ...{ Id, Amount: `#${amount}`, DetailType: 'JournalEntryLineDetail' },
      JournalEntryLineDetail: { PostingType, ...account(id) },
    });
    const shown = async () => {
      const { records, problems } = await connect().poll(null);
      expect(problems).toEqual([]);
      return records.map(({ name, event }) => [
        ...[name, event?.event_type, event?.amount, event?.metadata?.basis],
        event?.metadata?.transaction,
      ]);
    };

    it('A deposit repeats its payments, and the fee that was kept of them is a cost', async () => {
      server.put('Deposit', 155, DEPOSIT);
      expect(await shown()).toEqual([
        [
          ...['Deposit/155', 'deposit', '199.5', 'own_accounts'],
          { currency: 'USD', total: '262', fee: '-62.5', settled: '199.5' },
        ],
        [
          ...['Deposit/155/1', 'expense', '-62.5', 'cash'],
          { currency: 'USD', total: '-62.5', untaxed: '-62.5', settled: '-62.5' },
        ],
      ]);
    });

    it('A deposit without payments is income where its account is, and nothing where it is equity', async () => {
      const direct = (id: string, Amount: string) => ({
        ...{ Id: id, Amount, DetailType: 'DepositLineDetail', DepositLineDetail: account(id) },
      });
      const Line = [direct('1', '#70.00'), direct('3', '#5000.00')];
      server.put('Deposit', 4, { ...DEPOSIT, TotalAmt: '#5070.00', Line });
      expect(await shown()).toEqual([
        ['Deposit/4/1', 'revenue', '70', 'cash', expect.objectContaining({ untaxed: '70' })],
      ]);
    });

    it('The lines of journal entries are read like postings: with tax, on a receivable, and without money', async () => {
      const entry = (...Line: object[]) => ({ TxnDate: '2026-03-01', CurrencyRef: USD, Line });
      const sold = [posting('1', 'Credit', '100.00', '1'), posting('2', 'Credit', '19.00', '6')];
      server.put('JournalEntry', 1, entry(posting('0', 'Debit', '119.00', '5'), ...sold));
      server.put('JournalEntry', 2, entry(posting('0', 'Debit', '119.00', '4'), ...sold));
      server.put(
        ...(['JournalEntry', 3] as const),
        entry(posting('0', 'Debit', '40.00', '8'), posting('1', 'Credit', '40.00', '7')),
      );
      server.put(
        ...(['JournalEntry', 4] as const),
        entry(posting('0', 'Debit', '40.00', '5'), posting('1', 'Credit', '40.00', '3')),
      );
      const sale = { currency: 'USD', total: '119', untaxed: '100', tax: '19' };
      expect(await shown()).toEqual([
        ['JournalEntry/1/1', 'revenue', '100', 'cash', { ...sale, settled: '119' }],
        ['JournalEntry/2/1', 'revenue', '100', 'accrual', { ...sale, due: '119' }],
        ['JournalEntry/3/0', 'expense', '-40', 'accrual', expect.any(Object)],
      ]);
    });

    it('A line that is taken out is deleted, and so are all of a deleted object', async () => {
      const poll = follow(connect());
      server.put('Deposit', 155, DEPOSIT);
      server.put('Deposit', 1555, DEPOSIT);
      expect((await poll()).changes).toHaveLength(4);
      clock.time += MINUTE;
      const [payment] = DEPOSIT.Line;
      server.put('Deposit', 155, { ...DEPOSIT, TotalAmt: '#262.00', Line: [payment] });
      expect((await poll()).changes).toEqual([
        'supersede Deposit/155 262 USD',
        'remove Deposit/155/1',
      ]);
      clock.time += MINUTE;
      server.remove('Deposit', 1555);
      expect((await poll()).changes).toEqual(['remove Deposit/1555', 'remove Deposit/1555/1']);
    });

    it('A line of an unknown account is a problem, and what is recorded of its object stays', async () => {
      const poll = follow(connect());
      server.put('Deposit', 155, DEPOSIT);
      await poll();
      const Line = DEPOSIT.Line.map((line) =>
        'Id' in line ? { ...line, DepositLineDetail: account('99') } : line,
      );
      server.put('Deposit', 155, { ...DEPOSIT, Line });
      const { changes, problems } = await poll();
      expect(changes).toEqual([]);
      expect(problems).toEqual(['Deposit/155: account 99 of line 1 is unknown']);
    });
  });

  it.for([
    ['0.1', '0.1'],
    ['9007199254740993.01', '9007199254740993.01'],
    ['12345678901234567890.123456789012', '12345678901234567890.123456789012'],
    ['1.5E3', '1500'],
    ['0', '0'],
    ['-3.10', '-3.1'],
  ] as const)('The amount %s is kept to the digit', async ([sent, amount]) => {
    server.put('Payment', 1, { ...PAYMENT, TotalAmt: `#${sent}` });
    const { records } = await connect().poll(null);
    expect(records[0]?.event?.amount).toBe(amount);
  });

  it('The home currency is requested once if an object names no currency', async () => {
    server.put('Payment', 1, { TotalAmt: '#1', TxnDate: '2026-03-01' });
    server.put('Payment', 2, { TotalAmt: '#2', TxnDate: '2026-03-01', CurrencyRef: null });
    server.put('Payment', 3, PAYMENT);
    const { records } = await connect().poll(null);
    expect(records.map(({ event }) => event?.currency)).toEqual(['CAD', 'CAD', 'USD']);
    expect(asked('query').filter((text) => text?.includes('Preferences'))).toHaveLength(1);
  });

  it('The home currency is not requested if every object names a currency', async () => {
    server.put('Payment', 1, PAYMENT);
    await connect().poll(null);
    expect(asked('query').filter((text) => text?.includes('Preferences'))).toEqual([]);
  });

  it('Unusable objects are reported, and the rest is read', async () => {
    server.put('Payment', 1, { ...PAYMENT, TotalAmt: '#1e30' });
    server.put('Payment', 2, { ...PAYMENT, TxnDate: '2026-02-30' });
    server.put('Payment', 3, { ...PAYMENT, CurrencyRef: { value: 'XYZ' } });
    server.put('Payment', 4, { ...PAYMENT, TotalAmt: undefined });
    server.put('Payment', 5, { ...PAYMENT, DocNumber: 'D'.repeat(201) });
    server.put('Payment', 6, PAYMENT);
    const { records, problems } = await connect().poll(null);
    expect(records.map(({ name }) => name)).toEqual(['Payment/6']);
    expect(problems.map(({ where, reason }) => `${where}: ${reason}`.slice(0, 30))).toEqual([
      'Payment/1: TotalAmt 1e30 is no',
      'Payment/2: TxnDate 2026-02-30 ',
      'Payment/3: XYZ is not an ISO 4',
      'Payment/4: TotalAmt is require',
      'Payment/5: external_id must be',
    ]);
  });

  it('The first poll reads everything, page by page', async () => {
    for (let id = 1; id <= 2500; id += 1) server.put('Payment', id, PAYMENT);
    const { records } = await connect().poll(null);
    expect(new Set(records.map(({ name }) => name)).size).toBe(2500);
  });

  it('Nothing is lost when objects are deleted while pages are read', async () => {
    for (let id = 1; id <= 2000; id += 1) server.put('Payment', id, PAYMENT);
    let queries = 0;
    const outbound: Outbound = async (request) => {
      const answer = await testOutbound(request);
      queries += request.url.includes('/query') ? 1 : 0;
      if (queries === 1) for (let id = 1; id <= 20; id += 1) server.remove('Payment', id);
      return answer;
    };
    const { records } = await connect({ outbound }).poll(null);
    const keys = new Set(records.map(({ name }) => name));
    for (let id = 21; id <= 2000; id += 1) expect(keys.has(`Payment/${id}`)).toBe(true);
  });
});

describe('Changes of a QuickBooks company', () => {
  it('Only changes are read, with deletions and voids as such', async () => {
    const poll = follow(connect());
    for (let id = 1; id <= 4; id += 1) server.put('Payment', id, PAYMENT);
    expect((await poll()).changes).toHaveLength(4);
    clock.time += 60 * MINUTE;
    expect((await poll()).changes).toEqual([]);
    server.put('Payment', 1, { ...PAYMENT, TotalAmt: '#12.50' });
    server.remove('Payment', 2);
    server.put('Payment', 3, { ...PAYMENT, TotalAmt: '#0', PrivateNote: 'Voided - old memo' });
    server.put('Payment', 4, { ...PAYMENT, TotalAmt: '#0' });
    server.put('BillPayment', 1, PAYMENT);
    expect((await poll()).changes).toEqual([
      'record BillPayment/1 -10 USD',
      'supersede Payment/1 12.5 USD',
      'supersede Payment/4 0 USD',
      'remove Payment/2',
      'remove Payment/3',
    ]);
    expect((await poll()).changes).toEqual([]);
    server.put('Payment', 3, PAYMENT);
    expect((await poll()).changes).toEqual(['revive Payment/3 10 USD']);
  });

  it('A poll reads again from ten minutes before the last change', async () => {
    const poll = follow(connect());
    server.put('Payment', 1, PAYMENT);
    const { poll: first } = await poll();
    expect(first.cursor).toBe('2026-03-10T12:00:00.000Z');
    clock.time += 5 * MINUTE;
    // A change made before the last poll that becomes visible only now.
    clock.time -= 9 * MINUTE;
    server.put('Payment', 2, PAYMENT);
    clock.time += 9 * MINUTE;
    expect((await poll()).changes).toEqual(['record Payment/2 10 USD']);
    expect(asked('cdc')).toEqual(['2026-03-10T11:50:00.000Z']);
  });

  it('Polls stay within the reach of change data capture while nothing happens', async () => {
    const poll = follow(connect());
    server.put('Payment', 1, PAYMENT);
    await poll();
    for (let day = 0; day < 60; day += 1) {
      clock.time += DAY;
      expect(await poll()).toMatchObject({ changes: [], problems: [] });
    }
    expect(asked('cdc')).toHaveLength(60);
    server.remove('Payment', 1);
    expect((await poll()).changes).toEqual(['remove Payment/1']);
  });

  it('After more than 30 days without a poll objects are queried, which reports no deletions', async () => {
    const poll = follow(connect());
    server.put('Payment', 1, PAYMENT);
    server.put('Payment', 2, PAYMENT);
    await poll();
    clock.time += 20 * DAY;
    server.put('Payment', 2, { ...PAYMENT, TotalAmt: '#3' });
    server.put('Purchase', 7, PAYMENT);
    clock.time += 20 * DAY;
    const { changes, problems } = await poll();
    expect(changes).toEqual(['record Purchase/7 -10 USD', 'supersede Payment/2 3 USD']);
    expect(problems).toEqual([expect.stringContaining('since 2026-03-10T11:50:00.000Z')]);
    expect(asked('cdc')).toEqual([]);
    expect(asked('query').at(-1)).toContain(
      "from JournalEntry where Metadata.LastUpdatedTime >= '2026-03-10T11:50:00.000Z' orderby Id startposition 1 ",
    );
    clock.time += DAY;
    expect(await poll()).toMatchObject({ changes: [], problems: [] });
  });

  async function changeMany(poll: () => Promise<unknown>) {
    for (let id = 1; id <= 2600; id += 1) server.put('Payment', id, PAYMENT);
    for (let id = 1; id <= 10; id += 1) server.put('Purchase', id, PAYMENT);
    await poll();
    clock.time += DAY;
    for (let id = 1; id <= 2600; id += 1) {
      clock.time += 1000;
      if (id % 10 === 0) server.remove('Payment', id);
      else server.put('Payment', id, { ...PAYMENT, TotalAmt: '#11' });
    }
    server.remove('Purchase', 3);
  }

  it('Every change and deletion is read, even beyond the size of one answer', async () => {
    const poll = follow(connect());
    await changeMany(poll);
    const { changes, problems } = await poll();
    expect(problems).toEqual([]);
    expect(changes.filter((change) => change.startsWith('supersede'))).toHaveLength(2340);
    expect(changes.filter((change) => change.startsWith('remove'))).toHaveLength(261);
  });

  it('A full answer that may hide deletions is reported, and every change is read', async () => {
    server.state.full = 'newest';
    const poll = follow(connect());
    await changeMany(poll);
    const { changes, problems } = await poll();
    expect(changes.filter((change) => change.startsWith('supersede'))).toHaveLength(2340);
    expect(changes).toContain('remove Purchase/3');
    expect(problems).toEqual([expect.stringContaining('More than 1000 objects of Payment')]);
  });
});

describe('Tokens of a QuickBooks connection', () => {
  it('Each new refresh token is stored before the access token that came with it is used', async () => {
    const order: string[] = [];
    const outbound: Outbound = (request) => {
      order.push(new URL(request.url).pathname.split('/').at(-1) ?? '');
      return testOutbound(request);
    };
    const save = async (token: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`saved ${token}`);
    };
    const connector = connect({ outbound, save });
    await connector.poll(null);
    expect(order.slice(0, 3)).toEqual(['bearer', 'saved refresh-1', 'query']);
    order.length = 0;
    clock.time += 2 * 60 * MINUTE;
    await connector.poll('2026-03-10T12:00:00.000Z');
    expect(order).toEqual(['bearer', 'saved refresh-2', 'cdc']);
  });

  it('An access token is used until it expires', async () => {
    const poll = follow(connect());
    for (let round = 0; round < 5; round += 1) {
      await poll();
      clock.time += MINUTE;
    }
    expect(asked('token')).toHaveLength(1);
    expect(saved).toEqual(['refresh-1']);
  });

  it('An access token refused before its expiry is renewed once', async () => {
    const poll = follow(connect());
    await poll();
    server.state.access.clear();
    server.put('Payment', 1, PAYMENT);
    expect((await poll()).changes).toEqual(['record Payment/1 10 USD']);
    expect(saved).toEqual(['refresh-1', 'refresh-2']);
  });

  it('An access token refused again is a clear error and not retried forever', async () => {
    const unauthorized = { status: 401, body: '{}' };
    server.failOnce('query', unauthorized, unauthorized, unauthorized);
    const error = await failure(connect().poll(null));
    expect(error).toMatchObject({ isTemporary: false });
    expect(error.message).toMatch(/status 401: check realm_id/);
    expect(asked('query')).toHaveLength(2);
  });

  it.for([
    [429, 'statusCode=429'],
    [403, 'statusCode=403'],
  ] as const)(
    'Too many requests, refused with %i, are asked again later',
    async ([status, code]) => {
      const Message = `message=ThrottleExceeded; errorCode=003001; ${code}`;
      const fault = {
        Message,
        Detail: 'The request limit was reached.  Try again later',
        code: '3001',
      };
      const body = JSON.stringify({ Fault: { Error: [fault], type: 'SERVICE' } });
      server.failOnce('query', { status, body });
      const error = await failure(connect().poll(null));
      expect(error).toMatchObject({ isTemporary: true });
      expect(error.message).toMatch(/refused too many requests/);
      expect(asked('query')).toHaveLength(1);
    },
  );

  it('A refresh token that could not be stored is not used, and the next poll stores it first', async () => {
    let isBroken = true;
    const save = async (token: string) => {
      if (isBroken) throw new Error('the database is away');
      saved.push(token);
    };
    const connector = connect({ save });
    const error = await failure(connector.poll(null));
    expect(error.message).toBe('the database is away');
    expect(asked('query')).toEqual([]);
    isBroken = false;
    await connector.poll(null);
    expect(saved).toEqual(['refresh-1', 'refresh-2']);
  });

  it('A refresh token already used elsewhere is a clear error', async () => {
    const error = await failure(connect({ refreshToken: 'refresh-old' }).poll(null));
    expect(error).toMatchObject({ name: 'ConnectorError', isTemporary: false });
    expect(error.message).toMatch(/no longer accepts the refresh_token/);
    expect(saved).toEqual([]);
  });

  it('Wrong client credentials are a clear error', async () => {
    const error = await failure(connect({ secret: 'wrong' }).poll(null));
    expect(error).toMatchObject({ isTemporary: false });
    expect(error.message).toMatch(/client_id and client_secret/);
  });

  it.for([
    [{ status: 429, body: '' }, /too many requests/],
    [{ status: 503, body: '<html>' }, /503/],
    ['cut', /incomplete/],
    ['hang up', /did not answer/],
  ] as const)(
    'A token request answered with %o is retried later, once at a time',
    async ([fault, text]) => {
      server.failOnce('token', fault);
      const error = await failure(connect().poll(null));
      expect(error).toMatchObject({ isTemporary: true, message: expect.stringMatching(text) });
      expect(asked('token')).toHaveLength(1);
    },
  );

  it('Tokens come from Intuit by default, through the outbound function passed in', async () => {
    const sent = new Set<string>();
    const outbound: Outbound = (request) => {
      const url = new URL(request.url);
      sent.add(url.origin + url.pathname);
      return testOutbound({ ...request, url: server.urls.token_url });
    };
    // The local server issues tokens at any address, and knows nothing else there.
    await failure(connect({ outbound, urls: {} }).poll(null));
    expect([...sent]).toEqual([
      'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
      `https://quickbooks.api.intuit.com/v3/company/${REALM}/query`,
    ]);
  });

  it('Tokens are neither printed nor written to a file by the library', async () => {
    const print = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      vi.spyOn(console, name),
    );
    await connect().poll(null);
    await failure(connect().poll(null));
    for (const spy of print) expect(spy).not.toHaveBeenCalled();
    expect(existsSync('logs')).toBe(false);
    vi.restoreAllMocks();
  });
});

describe('QuickBooks API failures', () => {
  const fault = '{"Fault":{"Error":[{"Message":"Bad","Detail":"Company is closed"}]}}';
  it.for([
    [{ status: 429, body: '' }, true, /too many requests/],
    [{ status: 500, body: 'oops' }, true, /status 500/],
    [{ status: 503, body: '' }, true, /status 503/],
    ['cut', true, /incomplete/],
    ['hang up', true, /did not answer/],
    [{ status: 200, body: '<IntuitResponse/>' }, true, /not JSON/],
    [{ status: 200, body: '{"CDCResponse":7}' }, false, /unexpected answer: CDCResponse/],
    [{ status: 400, body: fault }, false, /status 400: it says: Bad Company is closed/],
    [{ status: 403, body: '' }, false, /check realm_id/],
    [{ status: 418, body: 'x' }, false, /status 418/],
  ] as const)(
    'The failure %o is a clear error, and the next poll loses nothing',
    async ([trouble, isTemporary, text]) => {
      const poll = follow(connect());
      await poll();
      server.put('Payment', 1, PAYMENT);
      server.failOnce('cdc', trouble);
      const error = await failure(poll());
      expect(error).toMatchObject({ name: 'ConnectorError', isTemporary });
      expect(error.message).toMatch(text);
      expect((await poll()).changes).toEqual(['record Payment/1 10 USD']);
    },
  );

  it('A poll fails as a whole if a later page fails', async () => {
    for (let id = 1; id <= 1500; id += 1) server.put('Payment', id, PAYMENT);
    const poll = follow(connect());
    let queries = 0;
    const outbound: Outbound = (request) => {
      queries += request.url.includes('/query') ? 1 : 0;
      if (queries === 2) return Promise.reject(new Error('timed out'));
      return testOutbound(request);
    };
    const error = await failure(connect({ outbound }).poll(null));
    expect(error).toMatchObject({ isTemporary: true });
    server.state.refreshToken = 'refresh-0';
    expect((await poll()).changes).toHaveLength(1500);
  });

  it('A cursor that is not a time is refused', async () => {
    const error = await failure(connect().poll('snapshot'));
    expect(error).toMatchObject({ isTemporary: false });
  });
});
