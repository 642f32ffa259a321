import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIABILITY, LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { SHIPPED_PROFILES } from '@decision-ledger/contract/shipped-profiles';
import { riskReader } from '@decision-ledger/liability/risk';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { describe, expect, it } from 'vitest';

const Payload = Type.Record(Type.String(), Type.Any());
const Cases = Type.Object({
  cases: Type.Array(
    Type.Object({
      name: Type.String(),
      action_type: Type.String(),
      inputs: Type.Optional(Payload),
      outputs: Type.Optional(Payload),
      metadata: Type.Optional(Payload),
      expected: Type.Union([
        Type.Object({ denied: Type.Literal(true) }),
        Type.Object({
          provenance: Type.Union([Type.String(), Type.Null()]),
          amount: Type.Optional(Type.String()),
          currency: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        }),
      ]),
    }),
  ),
});
type Case = Static<typeof Cases>['cases'][number];

const path = join(import.meta.dirname, '../../../vectors/amounts.json');
const { cases } = Parse(Cases, JSON.parse(readFileSync(path, 'utf8')));
const settings = {
  ...Parse(LiabilitySettings, DEFAULT_LIABILITY),
  payload_units: SHIPPED_PROFILES.flatMap(({ units = [] }) => units),
};
const { read } = riskReader(settings, 'USD');

describe('Amounts of payloads', () => {
  it.for(cases.map((one): [string, Case] => [one.name, one]))(
    'The amount at risk is what the step approves: %s',
    ([_name, one]) => {
      const { isDenied, provenance, stated } = read(one);
      if ('denied' in one.expected) expect(isDenied).toBe(true);
      else
        expect({ isDenied, provenance, ...stated }).toEqual({ isDenied: false, ...one.expected });
    },
  );
});
