import type { DecisionBody } from '@decision-ledger/contract/decision';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBody, prepareDecision } from '#server/domains/record/decisions/rules/prepare';
import { markOf } from '#server/http/request-headers';
import { json, text } from '../../../proof/test/support/arbitraries.js';

const object = fc.dictionary(text, json, { maxKeys: 5, noNullPrototype: true });

const body: fc.Arbitrary<DecisionBody> = fc.record(
  {
    agent_id: text,
    action_type: text,
    inputs: object,
    outputs: object,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    alternatives: fc.array(object, { maxLength: 3 }),
    human_in_loop: fc.boolean(),
    metadata: object,
    timestamp: fc.constant('2026-04-16T09:30:00.000Z'),
  },
  { requiredKeys: ['agent_id', 'action_type', 'inputs', 'outputs', 'confidence'] },
);

function canonicalOf(decision: DecisionBody): string {
  const prepared = prepareDecision(decision, {
    ...{ ledgerId: '00000000-0000-0000-0000-000000000000', path: '', claims: [] },
    ...{ decisionId: '00000000-0000-0000-0000-000000000001', now: Date.UTC(2026, 4, 1) },
    salt: () => 'AAAAAAAAAAAAAAAAAAAAAA',
  });
  return canonicalBody(decision, prepared);
}

describe('Canonical text of a decision', () => {
  it('It is that of the whole body, whatever the body contains', () => {
    fc.assert(
      fc.property(body, (decision) => {
        expect(canonicalOf(decision)).toBe(canonicalJson(decision));
      }),
      { seed: 2026, numRuns: 500 },
    );
  });

  it('Keys that were stored before are found again, as their marks are the same', () => {
    const decision = {
      ...{ timestamp: '2026-04-16T09:30:00Z', confidence: 1.0, agent_id: 'a', action_type: 'b' },
      ...{ outputs: { z: [1e21, 'é'], a: null }, inputs: {}, metadata: { 10: 1, 9: 2 } },
      ...{ human_in_loop: false, alternatives: [{}] },
    };
    const key = Buffer.alloc(32, 7);
    const mark = markOf(key, 'k-1', 'POST /api/v1/decisions', canonicalOf(decision));
    // Made by the first release that took keys for the members of a batch.
    expect(mark).toEqual({
      key: '7cb61cc3e4b987a4abc257adabfc0d7cd71f4f4b139664328261846917754775',
      request: 'e98f1f5455a71974b5b6e002d5cb1fe769b4ff7cc140347af2d432346f46ffca',
    });
  });
});
