import { DEFAULT_LIABILITY, LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { SHIPPED_PROFILES } from '@decision-ledger/contract/shipped-profiles';
import type { PayloadUnits } from '@decision-ledger/contract/source-profiles';
import { type RiskPayload, riskReader } from '@decision-ledger/liability/risk';
import { Parse } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../proof/test/support/cpu-time.js';

const SHIPPED_UNITS = SHIPPED_PROFILES.flatMap(({ units = [] }) => units);
const settingsWith = (fields: object = {}, payload_units = SHIPPED_UNITS) => ({
  ...Parse(LiabilitySettings, { ...DEFAULT_LIABILITY, ...fields }),
  payload_units,
});
const read = (payload: Partial<RiskPayload>, fields: object = {}) =>
  riskReader(settingsWith(fields), 'USD').read({ action_type: 'approve_refund', ...payload });

describe('Amounts at risk', () => {
  it.for([
    ['outputs first', { outputs: { amount: 5 }, inputs: { amount: 9 } }, '5', null],
    ['inputs otherwise', { outputs: { note: 'x' }, inputs: { total: '19.90' } }, '19.9', null],
    ['text with a currency', { outputs: { price: '19.90 EUR' } }, '19.9', 'EUR'],
    ['a sibling currency', { outputs: { amount: 7, currency: 'GBP' } }, '7', 'GBP'],
    ['the currency of the key', { outputs: { total_eur: 7 } }, '7', 'EUR'],
    ['minor units of the key', { outputs: { amount_cents: 1990, currency: 'EUR' } }, '19.9', 'EUR'],
    ['an integer as major units', { outputs: { amount: 1990 } }, '1990', null],
    ['the amount of the action', { outputs: { order_total: 900, refund_amount: 20 } }, '20', null],
    ['the largest amount', { outputs: { fee: 3, price: 40 } }, '40', null],
    ['no limit or balance', { outputs: { credit_limit: 9000, balance: 8000, fee: 3 } }, '3', null],
    [
      'no limit or balance that is an object',
      {
        outputs: {
          account: {
            balance: { amount: 8000, currency: 'EUR' },
            limits: { day: { amount: 9000 } },
          },
          previous: { refund: { amount: 70 } },
          payment: { fee: 3 },
        },
      },
      '3',
      null,
    ],
    [
      'the object that names the action',
      { outputs: { order: { total: 900 }, refund: { amount: 20, order: { price: 800 } } } },
      '20',
      null,
    ],
    ['a nested amount', { outputs: { amount: { value: '12.00', currency: 'EUR' } } }, '12', 'EUR'],
    ['the magnitude', { outputs: { amount: -12.5 } }, '12.5', null],
  ] as const)('An amount is read from %s', ([_what, payload, amount, currency]) => {
    expect(read(payload).stated).toEqual({ amount, currency });
  });

  it.for([
    ['words', { outputs: { amount: 'many' } }],
    ['two readings', { outputs: { amount: '1,990' } }],
    ['an unknown currency', { outputs: { amount: 5, currency: 'ZZZ' } }],
    ['an identifier', { outputs: { payment_id: 12345, total_tokens: 900 } }],
    ['a number out of range', { outputs: { amount: '123456789012345678901' } }],
  ] as const)('No amount is read from %s', ([_what, payload]) => {
    expect(read(payload).stated).toBeNull();
  });

  it('Settings name the paths of amounts and of minor units', () => {
    const outputs = { loan: { principal: 50_000, exposure: 1 }, amount: 7 };
    expect(read({ outputs }, { amount_paths: ['outputs.loan.exposure'] }).stated?.amount).toBe('1');
    const minor_unit_paths = ['outputs.loan.principal'];
    const amount_paths = ['outputs.loan'];
    expect(read({ outputs }, { amount_paths, minor_unit_paths }).stated?.amount).toBe('500');
  });

  const stripe = { object: 'refund', id: 're_1', amount: 1990, currency: 'eur' };
  const adyen = { pspReference: 'P1', amount: { value: 1990, currency: 'EUR' } };
  const square = { refund: { id: 'r', amount_money: { amount: 1990, currency: 'EUR' } } };
  it.for([
    ["Stripe's object", stripe, '19.9'],
    ["Stripe's event", { type: 'charge.refunded', data: { object: stripe } }, '19.9'],
    ['a list of Stripe', { data: [{ ...stripe, object: 'Refund' }] }, '19.9'],
    ['a currency without cents', { ...stripe, currency: 'jpy' }, '1990', 'JPY'],
    ['an object within one of Stripe', { ...stripe, amount: 0, card: { amount: 1990 } }, '19.9'],
    ["metadata of Stripe's object", { ...stripe, amount: 0, metadata: { total: '19.90' } }, '19.9'],
    [
      'an object that looks like one',
      { object: 'contract', amount: 1990, currency: 'EUR' },
      '1990',
    ],
    ['an answer of Adyen', adyen, '19.9'],
    ['a notification', { items: [{ NotificationRequestItem: adyen }] }, '19.9'],
    ['a value beside those of Adyen', { pspReference: 'P1', total: '19.90 EUR' }, '19.9'],
    ['an answer of Square', square, '19.9'],
    ['its client', { refund: { amountMoney: { amount: 1990, currency: 'EUR' } } }, '19.9'],
    ['an amount of its own', { amount: { value: '19.90', currency: 'EUR' } }, '19.9'],
  ] satisfies [string, RiskPayload['outputs'], string, string?][])(
    'Profiles tell the units of %s',
    ([_what, outputs, amount, currency = 'EUR']) => {
      expect(read({ outputs }).stated).toEqual({ amount, currency });
    },
  );

  it('The first row about units decides, also for a path to an amount', () => {
    const outputs = { till: { kind: 'Receipt', sums: { total: 1990 } }, object: 'none' };
    const own: PayloadUnits[] = [
      { when: { member: 'kind', values: ['RECEIPT'] }, keys: ['sums.tot*'], unit: 'minor' },
      { keys: ['*'], unit: 'major' },
    ];
    const amountOf = (rows: PayloadUnits[], fields: object = {}) =>
      riskReader(settingsWith(fields, rows), 'USD').read({ action_type: 'sell', outputs }).stated
        ?.amount;
    const amount_paths = ['outputs.till.sums.total'];
    for (const fields of [{}, { amount_paths }]) {
      expect(amountOf(own, fields)).toBe('19.9');
      expect(amountOf([...own].reverse(), fields)).toBe('1990');
      expect(amountOf([{ keys: ['*.total'], unit: 'minor' }], fields)).toBe('19.9');
      expect(amountOf([{ keys: ['*ota*'], unit: 'minor' }], fields)).toBe('19.9');
      expect(amountOf([{ keys: ['tota'], unit: 'minor' }], fields)).toBe('1990');
    }
  });

  it('A huge payload is read in bounded time', async () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`amount${n}`, n]));
    const spent = await cpuMs(() => {
      for (let run = 0; run < 20; run += 1) read({ outputs: wide });
    });
    expect(spent).toBeLessThan(2000);
  });
});

describe('Denied decisions', () => {
  it.for([
    [{ approved: false }, true],
    [{ status: 'DECLINED' }, true],
    [{ failed: true }, true],
    [{ approved: true, status: 'done' }, false],
    [{ note: 'denied' }, false],
    [{ status: 'denied because the customer asked' }, false],
    [{ result: { status: 'failed' } }, true],
    [{ result: '{"approved": false}' }, true],
    [{ error: { message: 'no funds' } }, true],
  ] as const)('Outputs %j mean denied: %s', ([outputs, isDenied]) => {
    expect(read({ outputs }).isDenied).toBe(isDenied);
  });
});

describe('Versions', () => {
  it('A version is a hash of all keys that name it', () => {
    const of = (metadata: Record<string, string>) => read({ metadata }).variant;
    expect(of({ env: 'prod' })).toBe('');
    expect(of({ model: 'm-1' })).toMatch(/^[0-9a-f]{16}$/);
    expect(of({ model: 'm-1', env: 'prod' })).toBe(of({ model: 'm-1' }));
    expect(of({ model: 'm-1', prompt_version: '2' })).not.toBe(of({ model: 'm-1' }));
  });
});
