import { disclosureText } from '@decision-ledger/proof/commitment';
import { disclosedValue, legibleValue } from '@decision-ledger/proof/disclosed-value';
import { GateError } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';

const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';
const told = disclosureText(SALT, 'inputs', '{"amount":"1.50","seats":[1,2]}');

describe('Disclosed values', () => {
  it('The value of a disclosure is what was disclosed', () => {
    const value = { amount: '1.50', seats: [1, 2] };
    expect(disclosedValue(told, 'inputs')).toEqual(value);
    expect(legibleValue(told, 'inputs')).toEqual(value);
    expect(legibleValue(disclosureText(SALT, 'inputs', 'null'), 'inputs')).toBeNull();
  });

  it.each([
    ['of another field', told, 'outputs', TypeError],
    ['that is not one', '{"amount":"1.50"}', 'inputs', TypeError],
    ['whose value is not JSON', `["${SALT}","inputs",nothing]`, 'inputs', GateError],
    ['whose value repeats a name', `["${SALT}","inputs",{"a":1,"a":2}]`, 'inputs', GateError],
  ])('There is no value in a disclosure %s', (_what, disclosure, name, kind) => {
    expect(() => disclosedValue(disclosure, name)).toThrow(kind);
    expect(legibleValue(disclosure, name)).toBeUndefined();
  });

  it('There is no value without a disclosure', () => {
    expect(legibleValue(null, 'inputs')).toBeUndefined();
  });
});
