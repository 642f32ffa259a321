import { DecisionChainVerification } from '@decision-ledger/contract/chain';
import {
  Decision,
  DecisionBatchReceipt,
  DecisionReceipt,
} from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, decision } from '../support/client.js';
import {
  BACKSLASH,
  bodyText,
  FIELD_BYTES,
  type Fields,
  LONE_HIGH,
  LONE_LOW,
  nested,
  sized,
  text,
  ZERO,
} from '../support/decision-text.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
afterAll(() => bed.close());

/** Valid fields at the edge, and what comes back if it differs from what was sent. */
const ACCEPTED: [name: string, fields: Fields, back?: Partial<Decision>][] = [
  ['confidence 0', { confidence: '0' }],
  ['confidence -0', { confidence: '-0' }, { confidence: 0 }],
  ['confidence 1', { confidence: '1' }],
  ['confidence 1.000', { confidence: '1.000' }],
  ['confidence 5e-324', { confidence: '5e-324' }],
  ['agent_id of 200 characters', { agent_id: text('x', 200) }],
  ['agent_id of 200 characters outside the BMP', { agent_id: text('😀', 200) }],
  ['an agent_id of white space', { agent_id: '" "' }],
  ['inputs 64 deep', { inputs: nested(64) }],
  ['alternatives 64 deep', { alternatives: `[${nested(63)}]` }],
  ['an empty list of alternatives', { alternatives: '[]' }],
  ['inputs of 256 KiB', { inputs: sized(FIELD_BYTES) }],
  ['constructor as data', { inputs: '{"constructor":{"prototype":1},"toString":2}' }],
  ['proto without underscores', { metadata: '{"proto":1,"_proto_":2}' }],
  ['the number 2^53-1', { inputs: '{"n":9007199254740991,"m":-9007199254740991}' }],
  ['17 significant digits', { inputs: '{"n":0.12345678901234568}' }],
  ['zeros that add no digit', { inputs: '{"n":1.00000000000000000000}' }],
  ['surrogates in pairs', { inputs: `{"a":"${LONE_HIGH}${LONE_LOW}"}` }],
  ['an escaped backslash before u0000', { inputs: `{"a":"${BACKSLASH}${ZERO}"}` }],
  [
    'a timestamp with an offset',
    { timestamp: '"2026-04-16T09:30:00+02:00"' },
    { timestamp: '2026-04-16T07:30:00.000Z' },
  ],
  [
    'a timestamp finer than a millisecond, cut off and not rounded',
    { timestamp: '"2026-04-16T09:29:59.9999999Z"' },
    { timestamp: '2026-04-16T09:29:59.999Z' },
  ],
  [
    'a lower-case timestamp',
    { timestamp: '"2024-02-29t23:59:59z"' },
    { timestamp: '2024-02-29T23:59:59.000Z' },
  ],
  [
    'a timestamp 5 minutes ahead',
    { timestamp: '"2026-04-16T09:35:00Z"' },
    { timestamp: '2026-04-16T09:35:00.000Z' },
  ],
  [
    'a timestamp before 1970',
    { timestamp: '"0001-01-01T00:00:00.001Z"' },
    { timestamp: '0001-01-01T00:00:00.001Z' },
  ],
];

describe('Valid edge cases', () => {
  it.for(ACCEPTED)('A decision with %s comes back as it was sent', async ([, fields, back]) => {
    const { decision_id } = dataOf(
      await org.live.post('/decisions', bodyText(fields)),
      DecisionReceipt,
      201,
    );
    const stored = dataOf(await org.live.get(`/decisions/${decision_id}`), Decision);
    const sent = Object.entries(fields).map(([name, raw]) => [name, JSON.parse(raw ?? 'null')]);
    expect(stored).toMatchObject({ ...Object.fromEntries(sent), ...back });
  });

  it('A batch of 100 decisions keeps their order', async () => {
    const decisions = Array.from({ length: 100 }, (_, n) => decision({ inputs: { n } }));
    const answer = await org.live.post('/decisions/batch', { decisions });
    const { decisions: receipts } = dataOf(answer, DecisionBatchReceipt, 201);
    const first = receipts[0]?.seq ?? 0;
    expect(receipts.map(({ seq }) => seq)).toEqual(decisions.map((_, n) => first + n));
  });

  it('The chain of all edge cases verifies', async () => {
    const answer = await org.live.get('/decisions/chain/verify');
    expect(dataOf(answer, DecisionChainVerification)).toMatchObject({
      is_valid: true,
      records_checked: ACCEPTED.length + 100,
    });
  });
});
