import { describe, expect, it } from 'vitest';
import { accountKind, roleOf } from '#server/domains/sources/accounting/rules/hledger';
import { type Role, wholeOf } from '#server/domains/sources/accounting/rules/whole';

const ROLES = ['income', 'cost', 'fee', 'tax', 'due', 'money', 'other'] as const;
const parts = (amounts: Partial<Record<Role, string>>) =>
  ROLES.flatMap((role) => {
    const amount = amounts[role];
    return amount === undefined ? [] : [{ role, amount }];
  });

describe('The whole of a transaction', () => {
  it.for<[string, Partial<Record<Role, string>>, object]>([
    [
      'sale with tax, of which a fee was kept',
      { money: '116.5', fee: '2.5', tax: '-19', income: '-100' },
      { basis: 'cash', total: '119', untaxed: '100', tax: '19', fee: '-2.5', settled: '116.5' },
    ],
    [
      'refund with tax',
      { money: '-119', tax: '19', income: '100' },
      { basis: 'cash', total: '-119', untaxed: '-100', tax: '-19', settled: '-119' },
    ],
    [
      'invoice',
      { due: '119', tax: '-19', income: '-100' },
      { basis: 'accrual', total: '119', untaxed: '100', tax: '19', due: '119' },
    ],
    [
      'invoice that was paid in part at once',
      { money: '50', due: '69', tax: '-19', income: '-100' },
      { basis: 'mixed', total: '119', untaxed: '100', tax: '19', settled: '50', due: '69' },
    ],
    [
      'payment of an invoice, of which a fee was kept',
      { money: '116.5', fee: '2.5', due: '-119' },
      { basis: 'settlement', total: '119', fee: '-2.5', settled: '116.5', due: '-119' },
    ],
    [
      'purchase with tax that is claimed back',
      { cost: '100', tax: '19', money: '-119' },
      { basis: 'cash', total: '-119', untaxed: '-100', tax: '-19', settled: '-119' },
    ],
    [
      'bill',
      { cost: '100', due: '-100' },
      { basis: 'accrual', total: '-100', untaxed: '-100', due: '-100' },
    ],
    [
      'fee of a bank, which is a cost like others',
      { fee: '5', money: '-5' },
      { basis: 'cash', total: '-5', untaxed: '-5', settled: '-5' },
    ],
    ['cost against equity', { cost: '5', other: '-5' }, { total: '-5', untaxed: '-5' }],
  ])('A transaction is read as a whole: %s', ([, amounts, expected]) => {
    const { whole, ...basis } = wholeOf(parts(amounts));
    expect({ ...basis, ...whole }).toEqual(expected);
  });

  it('Money between own accounts has no total', () => {
    const moved = [
      { role: 'money', amount: '-100' },
      { role: 'money', amount: '100' },
    ] as const;
    expect(wholeOf(moved)).toEqual({ basis: 'own_accounts', whole: { settled: '0' } });
  });

  it.for<[string, Role]>([
    ['revenues:sales', 'income'],
    ['expenses:payment fees', 'fee'],
    ['expenses:Gebühren', 'fee'],
    ['expenses:coffee', 'cost'],
    ['expenses:taxes', 'cost'],
    ['liabilities:VAT', 'tax'],
    ['liabilities:vat19', 'tax'],
    ['assets:Vorsteuer7%', 'tax'],
    ['assets:Vorsteuer', 'tax'],
    ['assets:taxi fund', 'money'],
    ['assets:accounts receivable:acme', 'due'],
    ['liabilities:accounts-payable', 'due'],
    ['liabilities:visa', 'money'],
    ['liabilities:deferred', 'due'],
    ['liabilities:Unearned revenue', 'due'],
    ['liabilities:gift cards', 'due'],
    ['liabilities:erhaltene Anzahlungen', 'due'],
    ["debts:produits constatés d'avance", 'due'],
    ['liabilities:cash advance', 'money'],
    ['liabilities:rental deposit', 'money'],
    ['assets:prepaid', 'money'],
    ['equity:opening', 'other'],
    ['Umsatz', 'other'],
  ])('A posting to %s is by its name: %s', ([account, role]) => {
    expect(roleOf(account, accountKind(account, [], ''), [])).toBe(role);
  });

  it('A tag says what a posting is, and an unknown one says nothing', () => {
    const kind = accountKind('liabilities:state', [], '');
    expect(roleOf('liabilities:state', kind, [['part', 'Tax']])).toBe('tax');
    expect(roleOf('liabilities:state', kind, [['part', 'spare']])).toBe('money');
  });
});
