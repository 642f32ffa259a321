import { describe, expect, it } from 'vitest';
import { accountKind, roleOf } from '#server/domains/sources/accounting/rules/hledger';
import { type Role, wholeOf } from '#server/domains/sources/accounting/rules/whole';

const ROLES = [
  ...(['income', 'cost', 'discount', 'fee', 'tax', 'due', 'money'] as const),
  ...(['liability', 'equity', 'other'] as const),
];
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
    ['cost against equity', { cost: '5', equity: '-5' }, { total: '-5', untaxed: '-5' }],
    [
      'sale less a discount',
      { money: '107', income: '-100', discount: '10', tax: '-17' },
      { basis: 'cash', total: '107', untaxed: '90', tax: '17', settled: '107' },
    ],
    [
      'purchase less a discount',
      { money: '-90', cost: '100', discount: '-10' },
      { basis: 'cash', total: '-90', untaxed: '-90', settled: '-90' },
    ],
    [
      'purchase on a credit card',
      { cost: '80', liability: '-80' },
      { basis: 'cash', total: '-80', untaxed: '-80', settled: '-80' },
    ],
    [
      'sale with what is held for others',
      { money: '640', income: '-76.8', liability: '-563.2' },
      { basis: 'cash', total: '640', untaxed: '76.8', settled: '640' },
    ],
    [
      'sale with tax and a tip, given back',
      { money: '-129', income: '100', tax: '19', liability: '10' },
      { basis: 'cash', total: '-129', untaxed: '-100', tax: '-19', settled: '-129' },
    ],
    [
      'sale with a fee that is owed, of which nobody knows who paid it',
      { money: '100', income: '-100', fee: '3', liability: '-3' },
      { basis: 'cash', total: '100', untaxed: '100', fee: '-3', settled: '97' },
    ],
    [
      'sale that paid back a loan',
      { income: '-100', money: '60', liability: '40' },
      { basis: 'cash', total: '100', untaxed: '100', settled: '100' },
    ],
    ['loan', { money: '500', liability: '-500' }, { basis: 'own_accounts', settled: '0' }],
    ['contribution', { money: '500', equity: '-500' }, { basis: 'own_accounts', settled: '500' }],
    [
      'tax that is handed on',
      { money: '-19', tax: '19' },
      { basis: 'own_accounts', tax: '-19', settled: '-19' },
    ],
    ['tax that is set off', { tax: '19', equity: '-19' }, { tax: '-19' }],
    [
      'end of a year',
      { income: '900', cost: '-600', fee: '-50', equity: '-250' },
      { basis: 'own_accounts', total: '-900', untaxed: '-900', fee: '50' },
    ],
    [
      'sale that an owner took',
      { income: '-90', cost: '10', equity: '80' },
      { total: '90', untaxed: '90' },
    ],
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
    ['expenses:Kundenrabatt', 'cost'],
    ['expenses:Rabatte', 'discount'],
    ['income:discounts', 'income'],
    ['expenses:taxes', 'cost'],
    ['liabilities:VAT', 'tax'],
    ['liabilities:vat19', 'tax'],
    ['assets:Vorsteuer7%', 'tax'],
    ['assets:Vorsteuer', 'tax'],
    ['assets:taxi fund', 'money'],
    ['assets:accounts receivable:acme', 'due'],
    ['liabilities:accounts-payable', 'due'],
    ['liabilities:visa', 'liability'],
    ['liabilities:deferred', 'due'],
    ['liabilities:Unearned revenue', 'due'],
    ['liabilities:gift cards', 'due'],
    ['liabilities:erhaltene Anzahlungen', 'due'],
    ["debts:produits constatés d'avance", 'due'],
    ['liabilities:cash advance', 'liability'],
    ['liabilities:rental deposit', 'liability'],
    ['assets:prepaid', 'money'],
    ['equity:opening', 'equity'],
    ['Umsatz', 'other'],
  ])('A posting to %s is by its name: %s', ([account, role]) => {
    expect(roleOf(account, accountKind(account, [], ''), [])).toBe(role);
  });

  it('A tag says what a posting is, and an unknown one says nothing', () => {
    const kind = accountKind('liabilities:state', [], '');
    expect(roleOf('liabilities:state', kind, [['part', 'Tax']])).toBe('tax');
    expect(roleOf('liabilities:state', kind, [['part', 'spare']])).toBe('liability');
  });
});
