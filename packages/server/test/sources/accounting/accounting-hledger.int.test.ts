import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hledger } from '#server/domains/sources/accounting/connectors/hledger/connector';
import type { SourceProblem } from '#server/domains/sources/accounting/rules/source-record';
import type { Outbound } from '#server/platform/outbound';
import { follow } from './support/follow.js';
import { describeHledger, type HledgerWeb, startHledgerWeb } from './support/hledger-web.js';
import { transactionsOf } from './support/journal-answer.js';
import { testOutbound } from './support/outbound.js';

const sentence = ({ where, reason }: SourceProblem) => `${where}: ${reason}`;

const RENT = `2026-01-02 Landlord | Office rent
    expenses:rent         €800
    assets:bank
`;
const INVOICE = `2026-01-05 * (INV-1) Acme | Invoice one  ; customer: acme-1
    assets:bank          $1,200.50
    revenues:saas       $-1,200.50  ; type: subscription, plan: gold
`;
const REFUND = `2026-02-01 (R/1) Acme | Refund
    revenues:saas         GBP 20
    assets:bank
`;

const ASKING = { large_changes: 'confirm' } as const;

describeHledger('Journal in hledger-web', () => {
  let web: HledgerWeb;
  const connect = (
    fields: { accounts?: string[]; commodities?: Record<string, string> } = {},
    { url } = web,
  ) =>
    hledger.create(
      { id: 'books', kind: 'hledger', url, poll_seconds: 300, ...ASKING, ...fields },
      { outbound: testOutbound },
    );

  beforeAll(async () => {
    web = await startHledgerWeb();
  });
  afterAll(() => web.stop());
  beforeEach(() => web.write(''));

  it('An empty journal gives a complete poll without records', async () => {
    const poll = await connect().poll();
    expect(poll).toMatchObject({ records: [], isComplete: true, problems: [] });
  });

  it('Each posting to revenue and expenses is a record, signed as money to the organisation', async () => {
    web.write(RENT + INVOICE + REFUND);
    const { records, problems } = await connect().poll();
    expect(problems).toEqual([]);
    const whole = (account: string, amount: string, currency: string) => {
      const [debit, credit] = amount.startsWith('-')
        ? [account, 'assets:bank']
        : ['assets:bank', account];
      const value = amount.replace('-', '');
      const postings = [
        { account: debit, amount: value, currency },
        { account: credit, amount: `-${value}`, currency },
      ];
      const amounts = { total: amount, untaxed: amount, settled: amount };
      return { account, basis: 'cash', transaction: { currency, ...amounts, postings } };
    };
    expect(records.map(({ event }) => event)).toEqual([
      {
        event_type: 'expense',
        amount: '-800',
        currency: 'EUR',
        timestamp: '2026-01-02T00:00:00.000Z',
        description: 'Landlord | Office rent',
        metadata: whole('expenses:rent', '-800', 'EUR'),
      },
      {
        event_type: 'subscription',
        amount: '1200.5',
        currency: 'USD',
        external_id: 'INV-1',
        timestamp: '2026-01-05T00:00:00.000Z',
        description: 'Acme | Invoice one',
        metadata: {
          ...whole('revenues:saas', '1200.5', 'USD'),
          customer: 'acme-1',
          type: 'subscription',
          plan: 'gold',
        },
      },
      {
        event_type: 'revenue',
        amount: '-20',
        currency: 'GBP',
        external_id: 'R/1',
        timestamp: '2026-02-01T00:00:00.000Z',
        description: 'Acme | Refund',
        metadata: whole('revenues:saas', '-20', 'GBP'),
      },
    ]);
    expect(records.map(({ name, identity }) => [name, identity])).toEqual([
      [expect.stringMatching(/^content\/[0-9a-f]{64}$/), 'content'],
      ['code/INV-1/revenues:saas', 'code'],
      ['code/R%2F1/revenues:saas', 'code'],
    ]);
  });

  it('A record states its whole transaction: total, income alone, tax, fee, and all real postings', async () => {
    web.write(`account Einnahmen  ; type: R
account Verbindlichkeiten:Finanzamt  ; type: L, part: tax

2026-01-05 (S-1) gross of 119, the processor kept 2.50
    assets:stripe                   116.50 EUR
    expenses:payment fees             2.50 EUR
    Verbindlichkeiten:Finanzamt     -19.00 EUR
    Einnahmen:Abos                  -60.00 EUR
    Einnahmen:Beratung              -40.00 EUR
    (budget:sales)                  100.00 EUR
2026-01-06 (S-2) invoice
    assets:receivable               119.00 EUR
    liabilities:vat                 -19.00 EUR
    revenues
2026-01-07 (S-3) paid in dollars
    assets:bank                     $55.00 @ 0.91 EUR
    revenues                        -50.05 EUR
2026-01-08 (S-4) trip
    expenses:travel                 100 EUR @@ $110.50
    assets:bank
`);
    const { records, problems } = await connect().poll();
    expect(problems).toEqual([]);
    const found = records.map(({ event }) => [
      `${event?.external_id} ${event?.amount}`,
      event?.metadata?.basis,
      event?.metadata?.transaction,
    ]);
    const first = {
      ...{ currency: 'EUR', total: '119', untaxed: '100' },
      ...{ tax: '19', fee: '-2.5', settled: '116.5' },
      postings: [
        { account: 'assets:stripe', amount: '116.5', currency: 'EUR' },
        { account: 'expenses:payment fees', amount: '2.5', currency: 'EUR' },
        { account: 'Verbindlichkeiten:Finanzamt', amount: '-19', currency: 'EUR' },
        { account: 'Einnahmen:Abos', amount: '-60', currency: 'EUR' },
        { account: 'Einnahmen:Beratung', amount: '-40', currency: 'EUR' },
      ],
    };
    expect(found).toEqual([
      ['S-1 -2.5', 'cash', first],
      ['S-1 60', 'cash', first],
      ['S-1 40', 'cash', first],
      [
        'S-2 100',
        'accrual',
        {
          ...{ currency: 'EUR', total: '119', untaxed: '100', tax: '19' },
          due: '119',
          postings: expect.any(Array),
        },
      ],
      [
        'S-3 50.05',
        'cash',
        {
          ...{ currency: 'EUR', total: '50.05', untaxed: '50.05', settled: '50.05' },
          postings: [
            {
              ...{ account: 'assets:bank', amount: '55', currency: 'USD' },
              cost: { amount: '50.05', currency: 'EUR' },
            },
            { account: 'revenues', amount: '-50.05', currency: 'EUR' },
          ],
        },
      ],
      [
        'S-4 -100',
        undefined,
        {
          ...{ currency: 'EUR', total: '-100', untaxed: '-100' },
          postings: [
            {
              ...{ account: 'expenses:travel', amount: '100', currency: 'EUR' },
              cost: { amount: '110.5', currency: 'USD' },
            },
            { account: 'assets:bank', amount: '-110.5', currency: 'USD' },
          ],
        },
      ],
    ]);
  });

  it('Payments of what is owed are read, because the income itself was only owed', async () => {
    web.write(`account assets:customers  ; part: due

2026-01-05 (I-1) invoice
    assets:receivable               119.00 EUR
    liabilities:vat                 -19.00 EUR
    revenues
2026-01-20 (P-1) payment, of which a fee was kept
    assets:stripe                   116.50 EUR
    expenses:fees                     2.50 EUR
    assets:receivable              -119.00 EUR
2026-01-21 (I-2) half at once
    assets:bank                      50.00 EUR
    assets:customers                 50.00 EUR
    revenues
2026-01-25 (P-2) the other half
    assets:bank                      50.00 EUR
    assets:customers
2026-01-26 (B-1) bill
    expenses:hosting                 30.00 EUR
    liabilities:accounts payable
2026-01-30 (B-2) paid
    liabilities:accounts payable     30.00 EUR
    assets:bank
2026-01-31 (T-1) transfer
    assets:savings                   30.00 EUR
    assets:bank
`);
    const { records, problems } = await connect().poll();
    expect(problems).toEqual([]);
    const shown = (read: typeof records) =>
      read.map(({ event }) => [
        ...[event?.external_id, event?.event_type, event?.amount, event?.metadata?.basis],
      ]);
    expect(shown(records)).toEqual([
      ['I-1', 'revenue', '100', 'accrual'],
      ['P-1', 'expense', '-2.5', 'settlement'],
      ['P-1', 'payment', '119', 'settlement'],
      ['I-2', 'payment', '-50', 'mixed'],
      ['I-2', 'revenue', '100', 'mixed'],
      ['P-2', 'payment', '50', 'settlement'],
      ['B-1', 'expense', '-30', 'accrual'],
      ['B-2', 'bill_payment', '-30', 'settlement'],
      ['T-1', 'asset', '30', 'own_accounts'],
    ]);
    const chosen = await connect({ accounts: ['assets:receivable'] }).poll();
    expect(shown(chosen.records)).toEqual([
      ['I-1', 'asset', '119', 'accrual'],
      ['P-1', 'asset', '-119', 'settlement'],
    ]);
  });

  it('Money with which nothing was earned or spent is read where it arrived, or else where it left', async () => {
    web.write(`account Banque  ; type: C
account Emprunt  ; type: L
account Capital  ; type: E
account TVA  ; type: L
2026-02-01 (L-1) loan
    Banque              5000 EUR
    Emprunt
2026-02-02 (E-1) drawn out
    Capital             200 EUR
    Banque
2026-02-03 (V-1) tax
    TVA                 19 EUR
    Banque
2026-02-04 (X-1) exchange
    Banque:USD         -540 USD @@ 500 EUR
    Banque:EUR          500 EUR
2026-02-05 (S-1) shares
    Banque:Titres       3 "ACME" @@ 600 EUR
    Banque
2026-02-06 (G-1) voucher
    liabilities:gift cards    40 EUR
    income:sales
2026-12-31 (C-1) end of the year
    income:sales        40 EUR
    expenses:rent      -10 EUR
    Capital
2026-12-31 (C-2) retain earnings  ; retain: 2026
    income:other         5 EUR
    Capital
`);
    const { records, problems } = await connect().poll();
    expect(problems).toEqual([]);
    expect(
      records.map(({ event }) =>
        [event?.external_id, event?.amount, event?.currency, event?.metadata?.basis].join(' '),
      ),
    ).toEqual([
      ...['L-1 5000 EUR own_accounts', 'E-1 -200 EUR own_accounts', 'V-1 -19 EUR own_accounts'],
      ...['X-1 -540 USD own_accounts', 'X-1 500 EUR own_accounts', 'S-1 -600 EUR own_accounts'],
      ...['G-1 40 EUR earned', 'C-1 -40 EUR own_accounts', 'C-1 10 EUR own_accounts'],
      'C-2 -5 EUR own_accounts',
    ]);
  });

  it('A payment states the tax in it by the bill of its code and account, and nothing where that is not certain', async () => {
    web.write(`2026-01-05 (I-1) invoice
    assets:receivable               119.00 EUR
    liabilities:vat                 -19.00 EUR
    revenues
2026-01-20 (I-1) half of it, of which a fee was kept
    assets:stripe                    57.00 EUR
    expenses:fees                     2.50 EUR
    assets:receivable               -59.50 EUR
2026-01-21 (77) bill of a supplier
    expenses:hosting                 50.00 EUR
    assets:vat                       10.00 EUR
    liabilities:payable
2026-01-22 (77) paid
    liabilities:payable              60.00 EUR
    assets:bank
2026-01-23 (77) invoice of the same number
    assets:receivable               107.00 EUR
    liabilities:vat                  -7.00 EUR
    revenues
2026-01-24 (77) paid
    assets:bank                     107.00 EUR
    assets:receivable
2026-01-25 (I-9) payment of two, one of them another number
    assets:bank                      40.00 EUR
    assets:receivable               -30.00 EUR
    assets:receivable:old
2026-01-26 payment without a number
    assets:bank                      59.50 EUR
    assets:receivable
`);
    const { records, problems } = await connect().poll();
    expect(problems).toEqual([]);
    const payments = records.filter(({ event }) => event?.event_type?.endsWith('payment'));
    const shown = payments.map(({ event }) => {
      expect(event?.metadata?.basis).toBe('settlement');
      const { total, untaxed, tax } = Object(event?.metadata?.transaction);
      return [event?.amount, total, untaxed, tax];
    });
    expect(shown).toEqual([
      ['59.5', '59.5', '50', '9.5'],
      ['-60', '-60', '-50', '-10'],
      ['107', '107', '100', '7'],
      ['30', '40', undefined, undefined],
      ['10', '40', undefined, undefined],
      ['59.5', '59.5', undefined, undefined],
    ]);
  });

  it('A transaction of many postings shows the first 50, and one that cannot be read whole shows none', async () => {
    const many = Array.from({ length: 60 }, (_none, n) => `    revenues:r${n}   USD -1\n`).join('');
    web.write(`2026-01-05 (MANY) many\n${many}    assets:bank
2026-01-06 (DIGITS) digits
    assets:one       USD 0.12345678901
    assets:two       USD -0.12345678901
    assets:bank      USD 7
    revenues         USD -7
`);
    const { records } = await connect().poll();
    const [first] = records;
    const { transaction } = first?.event?.metadata ?? {};
    expect(transaction).toMatchObject({ total: '60', settled: '60', more_postings: 11 });
    expect(transaction).toHaveProperty('postings.length', 50);
    const odd = records.find(({ event }) => event?.external_id === 'DIGITS');
    expect(odd?.event).toMatchObject({ amount: '7', metadata: { account: 'revenues' } });
    expect(odd?.event?.metadata).not.toHaveProperty('transaction');
  });

  it('Only the requested accounts are read, with the sign of the account', async () => {
    web.write(RENT + INVOICE);
    const { records } = await connect({ accounts: ['assets:bank'] }).poll();
    expect(records.map(({ event }) => [event?.event_type, event?.amount])).toEqual([
      ['asset', '-800'],
      ['asset', '1200.5'],
    ]);
  });

  it('Amounts beyond 64-bit floats keep every digit', async () => {
    web.write(`2026-01-01 big
    revenues:a   USD -12345678901234567890.123456789
    revenues:b   USD -0.000000001
    revenues:c   USD -9007199254740993
    assets:bank
`);
    const { records, problems } = await connect().poll();
    expect(problems).toEqual([]);
    expect(records.map(({ event }) => event?.amount)).toEqual([
      '12345678901234567890.123456789',
      '0.000000001',
      '9007199254740993',
    ]);
  });

  it('Unusable transactions are reported, and the rest is read', async () => {
    web.write(`2026-01-01 (S1) shares
    expenses:shares   10 ABC
    expenses:fees     1 CHF
    assets:bank
2026-01-02 bare
    expenses:bare     5
    assets:bank
2026-01-03 huge
    expenses:huge     USD 100000000000000000000
    assets:bank
2026-01-04 fine
    expenses:fine     USD 0.0000000000001
    assets:bank
2023-01-14 kuna
    expenses:last     HRK 2
    assets:bank
2026-01-05 (S5) kuna
    expenses:late     HRK 3
    expenses:units    XDR 4
    assets:bank
`);
    const { records, problems } = await connect().poll();
    expect(records.map(({ event }) => `${event?.amount} ${event?.currency}`).sort()).toEqual([
      '-1 CHF',
      '-2 HRK',
    ]);
    expect(problems.map(sentence)).toEqual([
      'books.journal line 1: 2026-01-01 (S1) shares, expenses:shares: commodity ABC is not a currency: use an ISO 4217 code, $, € or £, or name its currency in the settings of the connection: "commodities": {"ABC": "…"}',
      'books.journal line 5: 2026-01-02 bare, expenses:bare: an amount without commodity is not a currency: use an ISO 4217 code, $, € or £, or name its currency in the settings of the connection: "commodities": {"": "…"}',
      'books.journal line 8: 2026-01-03 huge, expenses:huge: the amount has more than 20 digits before the point',
      'books.journal line 11: 2026-01-04 fine, expenses:fine: hledger-web rounds to 10 decimal places: write the amount with fewer',
      'books.journal line 17: 2026-01-05 (S5) kuna, expenses:late: HRK was in use until 2023-01-14: use EUR after that day',
      'books.journal line 17: 2026-01-05 (S5) kuna, expenses:units: commodity XDR is not a currency: use an ISO 4217 code, $, € or £, or name its currency in the settings of the connection: "commodities": {"XDR": "…"}',
    ]);
  });

  it('Accounts are read by their declared type, which their subaccounts share, rather than by their names', async () => {
    web.write(`account Erlöse  ; type: R
account Kosten  ; type: X
account Kosten:Durchlauf  ; type: Liability
account revenues:deposits  ; type: L

2026-03-01 Auftrag 12
    Bank                  700.00 EUR
    Erlöse:Planung
2026-03-02 Büro
    Kosten:Büro:Strom      90.00 EUR  ; type: power
    Kosten:Durchlauf        5.00 EUR
    Bank
2026-03-03 Kaution
    Bank                   10.00 EUR
    revenues:deposits
`);
    const { records } = await connect().poll();
    const read = records.map(({ event }) => [
      ...[event?.event_type, event?.amount, event?.metadata?.account],
    ]);
    expect(read).toEqual([
      ['revenue', '700', 'Erlöse:Planung'],
      ['power', '-90', 'Kosten:Büro:Strom'],
    ]);
    const chosen = await connect({ accounts: ['revenues', 'Kosten:Durchlauf'] }).poll();
    expect(chosen.records.map(({ event }) => [event?.event_type, event?.amount])).toEqual([
      ['liability', '5'],
      ['liability', '-10'],
    ]);
  });

  it('Commodities are read as the settings say, which come before the usual signs', async () => {
    web.write(`2026-01-13 a
    expenses:a         R$ 46.00
    expenses:b         12.50 kr
    expenses:c         A$1.00
    expenses:d         $2.00
    expenses:e         €3.00
    expenses:f         7.5
    assets:bank
`);
    const commodities = { kr: 'SEK', R$: 'BRL', A$: 'AUD', $: 'AUD', '': 'CHF' };
    const { records, problems } = await connect({ commodities }).poll();
    expect(problems).toEqual([]);
    expect(records.map(({ event }) => `${event?.amount} ${event?.currency}`)).toEqual([
      '-46 BRL',
      '-12.5 SEK',
      '-1 AUD',
      '-2 AUD',
      '-3 EUR',
      '-7.5 CHF',
    ]);
  });

  it('What hledger generates is not read, and a printed copy of it in the journal is', async () => {
    const planning = await startHledgerWeb(['--auto', '--forecast=2020-01-01..2020-05-01']);
    try {
      const sale = `2020-01-02 sale  ; kind: first
    assets:bank           $100.00
    revenues:sales
`;
      const rules = `~ monthly from 2020-01 to 2020-04  rent
    expenses:rent         $900.00
    assets:bank

= revenues:sales
    expenses:commission   *-0.1
    assets:owed           *0.1
`;
      web.write(sale);
      planning.write(`${sale}
2020-02-01 rent  ; generated-transaction: ~ monthly
    expenses:rent         $900.00
    assets:bank

${rules}`);
      const plain = await connect().poll();
      const answer = await testOutbound({ method: 'GET', url: `${planning.url}/transactions` });
      expect(answer.body).toContain('"_generated-transaction"');
      expect(answer.body).toContain('"_generated-posting"');
      const { records, problems } = await connect({}, planning).poll();
      expect(problems).toEqual([]);
      expect(records.map(({ event }) => event)).toEqual([
        plain.records[0]?.event,
        expect.objectContaining({ amount: '-900', description: 'rent' }),
      ]);
    } finally {
      await planning.stop();
    }
  });

  it('A payment that hledger generates takes no part of the tax of a bill', async () => {
    const planning = await startHledgerWeb(['--forecast=2020-01-01..2020-05-01']);
    try {
      const paid = `2020-01-05 (I-1) invoice
    assets:receivable     $119.00
    liabilities:vat       $-19.00
    revenues
2020-04-20 (I-1) payment
    assets:bank           $119.00
    assets:receivable
`;
      web.write(paid);
      planning.write(`${paid}
~ monthly from 2020-02 to 2020-04  (I-1) plan
    assets:bank            $59.50
    assets:receivable
`);
      const answer = await testOutbound({ method: 'GET', url: `${planning.url}/transactions` });
      expect(answer.body).toContain('"_generated-transaction"');
      const plain = await connect().poll();
      expect(plain.records.at(-1)?.event?.metadata?.transaction).toMatchObject({ tax: '19' });
      expect(await connect({}, planning).poll()).toEqual(plain);
    } finally {
      await planning.stop();
    }
  });

  it('What is marked pending says so, until it is cleared', async () => {
    const journal = (mark: string, own = '') => `2026-01-01 ${mark}(A) cheque  ; status: sent
    ${own}expenses:rent     USD 1
    assets:bank
`;
    const statusOf = async (text: string) => {
      web.write(text);
      return (await connect().poll()).records.map(({ event }) => event?.metadata?.status);
    };
    expect(await statusOf(journal('! '))).toEqual(['pending']);
    expect(await statusOf(journal('', '! '))).toEqual(['pending']);
    expect(await statusOf(journal('! ', '* '))).toEqual(['sent']);
    expect(await statusOf(journal('* '))).toEqual(['sent']);
    expect(await statusOf(journal(''))).toEqual(['sent']);
    const poll = follow(connect());
    web.write(journal('! '));
    await poll();
    web.write(journal('* '));
    expect((await poll()).changes).toEqual(['supersede code/A/expenses:rent/1 -1 USD']);
  });

  it('Virtual postings and zeros are skipped, and a posting of several currencies is split', async () => {
    web.write(`2026-01-01 mixed
    (expenses:budget)   USD 7
    [expenses:a]   USD 7
    [assets:a]
    expenses:zero   USD 0
    assets:usd      USD 10
    assets:eur      EUR 20
    revenues:both
`);
    const { records } = await connect().poll();
    expect(records.map(({ event }) => `${event?.amount} ${event?.currency}`).sort()).toEqual([
      '10 USD',
      '20 EUR',
    ]);
  });

  it('The date and tags of a posting override those of its transaction and account', async () => {
    web.write(`account expenses:rent  ; type: Expense, dept: 7

2026-01-01 rent  ; type: lease, floor: 1, house: 3
    expenses:rent   USD 1  ; date:2026-01-31, floor: 2
    assets:bank
`);
    const { records } = await connect().poll();
    expect(records[0]?.event).toMatchObject({
      event_type: 'lease',
      timestamp: '2026-01-31T00:00:00.000Z',
      metadata: { account: 'expenses:rent', type: 'lease', floor: '2', house: '3' },
    });
    expect(records[0]?.event?.metadata).not.toHaveProperty('dept');
  });

  it('Long descriptions are cut to their limit, and long codes are given a key', async () => {
    const code = 'C'.repeat(200);
    web.write(`2026-01-01 (${code}) ${'😀'.repeat(600)}
    expenses:${'x'.repeat(100)}   USD 1
    assets:bank
`);
    const { records, problems } = await connect().poll();
    expect(problems).toEqual([]);
    expect(records[0]?.name).toMatch(/^code\/[0-9a-f]{64}$/);
    expect(records[0]?.event?.external_id).toBe(code);
    const description = records[0]?.event?.description ?? '';
    expect(description.length).toBeLessThanOrEqual(1000);
    expect(description).toMatch(/^(😀)+…$/u);
  });

  describe('Changes', () => {
    it('An unchanged journal gives nothing to record', async () => {
      const poll = follow(connect());
      web.write(RENT + INVOICE + REFUND);
      expect((await poll()).changes).toHaveLength(3);
      expect((await poll()).changes).toEqual([]);
    });

    it('Only inserted transactions are recorded, wherever they are inserted', async () => {
      const poll = follow(connect());
      web.write(RENT + INVOICE + REFUND);
      await poll();
      web.write(
        `; a comment\n2025-12-31 first\n  expenses:x  USD 3\n  assets:bank\n\n`
          .concat(RENT, '2026-01-05 (INV-0) z\n  revenues:saas  USD -4\n  assets:bank\n')
          .concat(INVOICE, REFUND),
      );
      expect((await poll()).changes).toEqual([
        'record content/HASH/1 -3 USD',
        'record code/INV-0/revenues:saas/1 4 USD',
      ]);
    });

    it('Reordered transactions give nothing to record', async () => {
      const poll = follow(connect());
      web.write(RENT + RENT + INVOICE + REFUND);
      await poll();
      web.write(REFUND + RENT + INVOICE + RENT);
      expect((await poll()).changes).toEqual([]);
    });

    it('A transaction with a code keeps its key, whatever is edited', async () => {
      const poll = follow(connect());
      web.write(RENT + INVOICE);
      await poll();
      const edited = INVOICE.replaceAll('1,200.50', '1300.00')
        .replace('2026-01-05', '2025-01-05')
        .replace('Invoice one', 'Invoice 1');
      web.write(edited + RENT);
      expect((await poll()).changes).toEqual(['supersede code/INV-1/revenues:saas/1 1300 USD']);
    });

    it.for([
      ['amount', RENT.replace('800', '900'), '-900'],
      ['description', RENT.replace('Office rent', 'Rent of the office'), '-800'],
      ['day', RENT.replace('01-02', '01-03'), '-800'],
      ['account', RENT.replace('expenses:rent', 'expenses:office'), '-800'],
      ['code', RENT.replace('2026-01-02', '2026-01-02 (R-1)'), '-800'],
    ] as const)(
      'An edit of the %s of a transaction without a code supersedes it',
      async ([, edited, amount]) => {
        const poll = follow(connect());
        web.write(RENT + INVOICE);
        await poll();
        web.write(edited + INVOICE);
        const { changes, problems } = await poll();
        expect(changes).toEqual([expect.stringMatching(`^supersede .*/1 ${amount} EUR$`)]);
        expect(problems).toEqual([]);
        expect((await poll()).changes).toEqual([]);
      },
    );

    it('A transaction without a code that became another one is a deletion and a new record', async () => {
      const poll = follow(connect());
      web.write(RENT + INVOICE);
      await poll();
      web.write(`2026-01-09 Cleaning\n  expenses:office  €70\n  assets:bank\n${INVOICE}`);
      expect((await poll()).changes).toEqual([
        'record content/HASH/1 -70 EUR',
        'remove content/HASH/1',
      ]);
    });

    it('Edits that could be either of two are not guessed, and are reported', async () => {
      const poll = follow(connect());
      const fee = (text: string) => `2026-01-05 ${text}\n  expenses:fees  €5\n  assets:bank\n`;
      web.write(fee('north') + fee('south'));
      await poll();
      web.write(fee('Q1') + fee('Q2'));
      const { changes, problems } = await poll();
      expect(changes.map((change) => change.split(' ')[0])).toEqual([
        ...['record', 'record', 'remove', 'remove'],
      ]);
      expect(problems.join('\n')).toMatch(/books\.journal line 1: .*edited\? It may be .*north/);
    });

    it('A deleted transaction is removed, even one of two equal ones, and revived when it returns', async () => {
      const poll = follow(connect());
      web.write(RENT + RENT + INVOICE);
      await poll();
      web.write(RENT);
      expect((await poll()).changes).toEqual([
        'remove content/HASH/2',
        'remove code/INV-1/revenues:saas/1',
      ]);
      web.write(INVOICE + RENT);
      expect((await poll()).changes).toEqual(['revive code/INV-1/revenues:saas/1 1200.5 USD']);
    });

    it('A posting that can no longer be read keeps what is recorded of it', async () => {
      const poll = follow(connect());
      web.write(RENT + INVOICE + REFUND);
      await poll();
      web.write(RENT.replace('€800', '800 EURO') + INVOICE.replaceAll('$', 'Q ') + REFUND);
      const { changes, problems } = await poll();
      expect(changes).toEqual([]);
      expect(problems).toHaveLength(2);
      web.write(REFUND);
      expect((await poll()).changes).toHaveLength(2);
    });

    it('An unchanged transaction is never confused with another of the same code', async () => {
      const poll = follow(connect());
      const atm = (day: string, amount: number) =>
        `2026-01-${day} (ATM) cash\n  expenses:cash  USD ${amount}\n  assets:bank\n`;
      web.write(atm('10', 1) + atm('11', 2));
      await poll();
      web.write(atm('09', 9) + atm('10', 1) + atm('11', 2));
      expect((await poll()).changes).toEqual(['record code/ATM/expenses:cash/3 -9 USD']);
      web.write(atm('09', 9) + atm('11', 2));
      expect((await poll()).changes).toEqual(['remove code/ATM/expenses:cash/1']);
      web.write(atm('11', 3) + atm('09', 9));
      expect((await poll()).changes).toEqual(['supersede code/ATM/expenses:cash/2 -3 USD']);
    });

    it('Any history of a journal ends with its current content and no other change', async () => {
      const entry = fc.record({
        day: fc.integer({ min: 1, max: 28 }),
        code: fc.constantFrom('', 'A', 'B'),
        amount: fc.integer({ min: 1, max: 4 }),
      });
      const write = (entries: readonly { day: number; code: string; amount: number }[]) =>
        entries
          .map(({ day, code, amount }) => {
            const head = `2026-03-${String(day).padStart(2, '0')} ${code === '' ? '' : `(${code}) `}x`;
            return `${head}\n  expenses:x  USD ${amount}\n  assets:bank\n`;
          })
          .join('\n');
      await fc.assert(
        fc.asyncProperty(
          fc.array(entry, { maxLength: 6 }),
          fc.array(entry, { maxLength: 2 }),
          fc.nat(),
          async (first, added, at) => {
            const poll = follow(connect());
            web.write(write(first));
            await poll();
            const more = first.toSpliced(at % (first.length + 1), 0, ...added);
            web.write(write(more));
            const { changes, poll: last } = await poll();
            expect(changes.map((change) => change.split(' ')[0])).toEqual(
              added.map(() => 'record'),
            );
            expect(last.records).toHaveLength(more.length);
            web.write(write(first));
            const removed = (await poll()).changes.map((change) => change.split(' ')[0]);
            expect(removed).toEqual(added.map(() => 'remove'));
          },
        ),
        { numRuns: 25 },
      );
    });
  });
});

describe('Answers in place of hledger-web', () => {
  const poll = (outbound: Outbound) =>
    hledger
      .create(
        {
          ...{ id: 'books', kind: 'hledger', url: 'http://127.0.0.1:9/ledger/' },
          ...{ poll_seconds: 300, ...ASKING },
        },
        { outbound },
      )
      .poll();
  const answer = (status: number, body: string) =>
    poll(async () => ({ status, headers: {}, body }));

  it('The request path extends the path of the address', async () => {
    const asked: string[] = [];
    await poll(async ({ url }) => {
      asked.push(url);
      return { status: 200, headers: {}, body: '[]' };
    });
    expect(asked).toEqual(['http://127.0.0.1:9/ledger/transactions']);
  });

  it.for([
    [500, '', true],
    [502, '<html>', true],
    [429, '', true],
    [200, '[{"tcode":', true],
    [404, 'not found', false],
    [200, '{"transactions":[]}', false],
    [200, '[{"tcode":"x"}]', false],
  ] as const)('The answer %i %s gives a clear error', async ([status, body, isTemporary]) => {
    await expect(answer(status, body)).rejects.toMatchObject({
      name: 'ConnectorError',
      isTemporary,
      message: expect.stringContaining('hledger-web'),
    });
  });

  it('A transaction of another structure is a problem of its own, and deletes nothing', async () => {
    const [one, two, three] = transactionsOf(
      ['one', 'two', 'three'].map((text, index) => ({
        ...{ day: `2026-01-0${index + 1}`, account: 'revenues', cents: 700, text },
      })),
    );
    let body = JSON.stringify([one, two]);
    const fields = { id: 'books', kind: 'hledger', url: 'http://127.0.0.1:9' } as const;
    const outbound: Outbound = async () => ({ status: 200, headers: {}, body });
    const next = follow(hledger.create({ ...fields, poll_seconds: 300, ...ASKING }, { outbound }));
    expect((await next()).changes).toHaveLength(2);
    body = JSON.stringify([one, { ...two, tpostings: 'none' }, three]);
    const { changes, problems } = await next();
    expect(changes).toEqual(['record content/HASH/1 7 USD']);
    expect(problems).toEqual([expect.stringMatching(/^main\.journal line 4: tpostings /)]);
  });

  it('An invalid address is refused', async () => {
    const fields = { id: 'books', kind: 'hledger', url: 'localhost', poll_seconds: 300 } as const;
    const settings = { ...fields, ...ASKING };
    const tools = { outbound: testOutbound };
    const poll = hledger.create(settings, tools).poll();
    await expect(poll).rejects.toMatchObject({ name: 'ConnectorError', isTemporary: false });
  });

  it('A missing answer is a temporary error', async () => {
    const outbound: Outbound = () => Promise.reject(new Error('timed out'));
    await expect(poll(outbound)).rejects.toMatchObject({
      isTemporary: true,
      message: 'hledger-web did not answer (timed out); the poll is retried',
    });
  });
});
