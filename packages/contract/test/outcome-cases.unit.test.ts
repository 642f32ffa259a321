import { outcomeReader } from '@decision-ledger/contract/outcome';
import { DEFAULT_OUTCOMES } from '@decision-ledger/contract/outcome-settings';
import { describe, expect, it } from 'vitest';
import { casesOf, OUTCOME_CASES } from './support/outcome-cases.js';

const read = outcomeReader(DEFAULT_OUTCOMES);

describe.for(OUTCOME_CASES.ways)('%s', (way) => {
  it.for(casesOf(way).map((one) => [one.name, one] as const))(
    'The outcome is as the case says: %s',
    ([_name, one]) => {
      const metadata = one.stated === undefined ? {} : { outcome: one.stated };
      const payload = { action_type: 'refund', outputs: one.outputs, metadata };
      expect(read(payload).outcome).toBe(one.outcome);
    },
  );
});

it('A case names ways that there are, each of them once', () => {
  for (const { name, recorded } of OUTCOME_CASES.cases) {
    const ways = recorded.flatMap((form) => form.ways);
    expect(new Set(ways).size, name).toBe(ways.length);
    expect(OUTCOME_CASES.ways, name).toEqual(expect.arrayContaining(ways));
  }
});
