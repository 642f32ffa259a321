import { DecisionReceipt } from '@decision-ledger/contract/decision';
import type { ErrorCode } from '@decision-ledger/contract/errors';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf, decision, errorOf, expectRefusal } from '../support/client.js';
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
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;
let before: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
  dataOf(await org.live.post('/decisions', decision()), DecisionReceipt, 201);
});
afterAll(() => bed.close());

/** Fields to be refused, and the path that the refusal names. */
const REFUSED: [name: string, fields: Fields, path: string][] = [
  ...['agent_id', 'action_type', 'inputs', 'outputs', 'confidence'].map(
    (name): [string, Fields, string] => [`no ${name}`, { [name]: null }, name],
  ),
  ...['agent_id', 'action_type'].flatMap((name): [string, Fields, string][] => [
    [`a number as ${name}`, { [name]: '7' }, name],
    [`null as ${name}`, { [name]: 'null' }, name],
    [`an object as ${name}`, { [name]: '{}' }, name],
    [`an empty ${name}`, { [name]: '""' }, name],
    [`${name} of 201 characters`, { [name]: text('x', 201) }, name],
    [`${name} of 201 characters outside the BMP`, { [name]: text('😀', 201) }, name],
    [`${name} of 10 kB`, { [name]: text('x', 10_240) }, name],
    [`${name} of one letter and 10 kB of accents`, { [name]: `"e${'\u0301'.repeat(5120)}"` }, name],
  ]),
  ...['inputs', 'outputs', 'metadata'].flatMap((name): [string, Fields, string][] => [
    [`an array as ${name}`, { [name]: '[]' }, name],
    [`a string as ${name}`, { [name]: '"{}"' }, name],
    [`null as ${name}`, { [name]: 'null' }, name],
  ]),
  ['an object as alternatives', { alternatives: '{}' }, 'alternatives'],
  ['null as alternatives', { alternatives: 'null' }, 'alternatives'],
  ['a number among the alternatives', { alternatives: '[{},1]' }, 'alternatives[1]'],
  ['an array among the alternatives', { alternatives: '[[]]' }, 'alternatives[0]'],
  ['"0.9" as confidence', { confidence: '"0.9"' }, 'confidence'],
  ['true as confidence', { confidence: 'true' }, 'confidence'],
  ['null as confidence', { confidence: 'null' }, 'confidence'],
  ['a list as confidence', { confidence: '[0.9]' }, 'confidence'],
  ['confidence -0.1', { confidence: '-0.1' }, 'confidence'],
  ['confidence 1.0000001', { confidence: '1.0000001' }, 'confidence'],
  ['confidence -5e-324', { confidence: '-5e-324' }, 'confidence'],
  ['confidence 1e999', { confidence: '1e999' }, 'confidence'],
  ['confidence -1e999', { confidence: '-1e999' }, 'confidence'],
  ['confidence 1e-999', { confidence: '1e-999' }, 'confidence'],
  ['"true" as human_in_loop', { human_in_loop: '"true"' }, 'human_in_loop'],
  ['1 as human_in_loop', { human_in_loop: '1' }, 'human_in_loop'],
  ['null as human_in_loop', { human_in_loop: 'null' }, 'human_in_loop'],
  ['an unknown field', { colour: '"red"' }, 'colour'],
  ['a field that the service sets itself', { decision_id: '"dec_1"' }, 'decision_id'],
  ['an unknown field constructor', { constructor: '{}' }, 'constructor'],
  ['an unknown field toString', { toString: '1' }, 'toString'],
  ['an unknown field hasOwnProperty', { hasOwnProperty: '1' }, 'hasOwnProperty'],
  ['a field name in capitals', { Confidence: '0.5' }, 'Confidence'],
  ['a field name that is empty', { '': '1' }, ''],
  ['a __proto__ at the top', { ['__proto__']: '{"x":1}' }, '__proto__'],
  ['a __proto__ further down', { inputs: '{"a":[{"__proto__":{}}]}' }, 'inputs.a[0].__proto__'],
  ['an escaped __proto__', { inputs: `{"__prot${BACKSLASH}u006f__":1}` }, 'inputs.__proto__'],
  ['a lone high surrogate', { inputs: `{"a":"${LONE_HIGH}"}` }, 'inputs.a'],
  ['a lone low surrogate', { outputs: `{"a":"x${LONE_LOW}"}` }, 'outputs.a'],
  ['surrogates the wrong way round', { inputs: `{"a":"${LONE_LOW}${LONE_HIGH}"}` }, 'inputs.a'],
  ['a lone surrogate in agent_id', { agent_id: `"${LONE_HIGH}"` }, 'agent_id'],
  ['U+0000 in a value', { metadata: `{"a":"${ZERO}"}` }, 'metadata.a'],
  ['U+0000 in action_type', { action_type: `"a${ZERO}"` }, 'action_type'],
  ['a key twice further down', { inputs: '{"a":{"b":1,"b":1}}' }, 'inputs.a.b'],
  ['a key twice, once escaped', { inputs: `{"b":1,"${BACKSLASH}u0062":2}` }, 'inputs.b'],
  ['2^53', { inputs: '{"n":9007199254740992}' }, 'inputs.n'],
  ['-2^53', { inputs: '{"n":[1,-9007199254740992]}' }, 'inputs.n[1]'],
  ['1e21', { inputs: '{"n":1e21}' }, 'inputs.n'],
  ['18 significant digits', { inputs: '{"n":0.123456789012345678}' }, 'inputs.n'],
  ['a number too large for a float', { outputs: '{"n":1e400}' }, 'outputs.n'],
  ['inputs above 256 KiB', { inputs: sized(FIELD_BYTES + 1) }, 'inputs'],
  ['metadata above 256 KiB', { metadata: sized(FIELD_BYTES + 1) }, 'metadata'],
  ['alternatives above 256 KiB', { alternatives: `[${sized(FIELD_BYTES)}]` }, 'alternatives'],
  [
    'outputs above 256 KiB as UTF-8',
    { outputs: `{"a":"${'é'.repeat(FIELD_BYTES / 2)}"}` },
    'outputs',
  ],
  ['a timestamp that is a number', { timestamp: '1776331800000' }, 'timestamp'],
  ...[
    ...['', 'yesterday', '2026-04-16', '2026-04-16T09:30', '2026-04-16T09:30:00'],
    ...['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z'],
    ...['2016-12-31T23:59:60Z', '2026-04-16T24:00:00Z', '2026-04-16T09:60:00Z'],
    ...['2026-04-16 09:30:00Z', '2026-04-16T09:30:00+0200', '2026-04-16T09:30:00+24:00'],
    ...['+002026-04-16T09:30:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+00:01'],
    ...['2026-04-16T09:30:00,5Z', '2026-04-16T09:30:00.Z', ' 2026-04-16T09:30:00Z'],
    // The service's clock shows 2026-04-16T09:30:00.000Z.
    ...['2026-04-16T09:35:00.001Z', '2026-04-16T11:35:00.001+02:00', '9999-12-31T23:59:59Z'],
  ].map((time): [string, Fields, string] => [
    `the timestamp ${JSON.stringify(time)}`,
    { timestamp: JSON.stringify(time) },
    'timestamp',
  ]),
];

/** Payload fields nested too deeply, and the path that the refusal names. */
const TOO_DEEP: [name: string, fields: Fields, path: RegExp][] = [
  ['inputs 65 deep', { inputs: nested(65) }, /inputs(\.a){64}$/],
  ['metadata 65 deep', { metadata: nested(65) }, /metadata(\.a){64}$/],
  ['alternatives 65 deep', { alternatives: `[${nested(64)}]` }, /alternatives\[0\](\.a){63}$/],
  ['inputs 100,000 deep', { inputs: nested(100_000) }, /inputs(\.a)+$/],
  ['a list 100,000 deep', { inputs: `{"a":${'['.repeat(100_000)}` }, /inputs\.a(\[0\])+$/],
];

const single = (fields: Fields) => org.live.post('/decisions', bodyText(fields));
/** A batch of four decisions whose third has the fields; the others are valid. */
const third = (fields: Fields) => {
  const good = bodyText({});
  return org.live.post(
    '/decisions/batch',
    `{"decisions":[${[good, good, bodyText(fields), good].join(',')}]}`,
  );
};

describe('Invalid decisions', () => {
  beforeEach(async () => {
    before = await contents(bed);
  });
  afterEach(async () => expect(await contents(bed)).toBe(before));

  it.for(REFUSED)(
    'A decision with %s is refused with 422 and the path of the field',
    async ([, fields, path]) => {
      expectRefusal(await single(fields), 'validation_error', path);
    },
  );

  it.for(REFUSED)(
    'A batch with %s is refused with 422 and the path of the decision',
    async ([, fields, path]) => {
      expectRefusal(await third(fields), 'validation_error', `decisions[2].${path}`);
    },
  );

  it.for(TOO_DEEP)(
    'A decision with %s is refused with 422, alone and in a batch',
    async ([, fields, path]) => {
      for (const [answer, prefix] of [
        [await single(fields), '^'],
        [await third(fields), '^decisions\\[2\\]\\.'],
      ] as const) {
        const { code, details } = errorOf(answer);
        expect(code).toBe('validation_error');
        expect(Object.keys(details?.fields ?? {})).toEqual([
          expect.stringMatching(new RegExp(prefix + path.source)),
        ]);
      }
    },
  );

  it('A refused decision is answered with every invalid field', async () => {
    const wrong = { agent_id: '""', confidence: '2', inputs: null, colour: '1' };
    const answer = await single(wrong);
    const named = Object.keys(errorOf(answer).details?.fields ?? {}).sort();
    expect(named).toEqual(['agent_id', 'colour', 'confidence', 'inputs']);
  });

  it('A key with U+0000 or a lone surrogate is refused with 422 and named', async () => {
    const zero = await single({ inputs: `{"a${ZERO}":1}` });
    expectRefusal(zero, 'validation_error', `inputs["a${ZERO}"]`);
    const lone = await single({ inputs: `{"${LONE_HIGH}":1}` });
    expectRefusal(lone, 'validation_error', `inputs["${LONE_HIGH}"]`);
  });

  it('A repeated top-level key is refused with 422', async () => {
    const twice = bodyText({}).replace('{', '{"agent_id":"other",');
    expectRefusal(await org.live.post('/decisions', twice), 'validation_error', 'agent_id');
    const batch = '{"decisions":[],"decisions":[]}';
    expectRefusal(await org.live.post('/decisions/batch', batch), 'validation_error', 'decisions');
  });
});

/** Bodies that are not a decision. */
const NO_BODY: [name: string, body: string | Buffer, code: ErrorCode, path?: string][] = [
  ['nothing', '', 'malformed_request'],
  ['white space', ' \n', 'malformed_request'],
  ['half an object', '{"agent_id":"a"', 'malformed_request'],
  ['two values', '{}{}', 'malformed_request'],
  ['a comma too many', '{"a":1,}', 'malformed_request'],
  ['single quotes', "{'a':1}", 'malformed_request'],
  ['a comment', '{}//', 'malformed_request'],
  ['a raw line feed in a string', '{"a":"\n"}', 'malformed_request'],
  ['a leading zero', '{"a":01}', 'malformed_request'],
  ['NaN', bodyText({ confidence: 'NaN' }), 'malformed_request'],
  ['Infinity', bodyText({ confidence: 'Infinity' }), 'malformed_request'],
  ['-Infinity', bodyText({ inputs: '{"n":-Infinity}' }), 'malformed_request'],
  ['undefined', 'undefined', 'malformed_request'],
  ['form data', 'agent_id=a&confidence=1', 'malformed_request'],
  ['a byte order mark', `\ufeff${bodyText({})}`, 'malformed_request'],
  ['UTF-16', Buffer.from(bodyText({}), 'utf16le'), 'malformed_request'],
  ['a cut UTF-8 sequence', Buffer.from([0x22, 0xc3, 0x22]), 'malformed_request'],
  ['an overlong UTF-8 sequence', Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'malformed_request'],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'malformed_request'],
  ['null', 'null', 'validation_error', 'body'],
  ['a string', '"{}"', 'validation_error', 'body'],
  ['a number', '1', 'validation_error', 'body'],
  ['a list', '[]', 'validation_error', 'body'],
];

describe('Bodies that are not a decision', () => {
  for (const path of ['/decisions', '/decisions/batch']) {
    it.for(NO_BODY)(`POST ${path} refuses a body of %s`, async ([, body, code, field]) => {
      before = await contents(bed);
      const answer = await org.live.post(path, body);
      expectRefusal(answer, code, ...(field === undefined ? [] : [field]));
      expect(await contents(bed)).toBe(before);
    });
  }

  it.for([
    ['no decision', []],
    ['101 decisions', Array.from({ length: 101 }, () => decision())],
    ['an object as decisions', {}],
    ['a string as decisions', 'decisions'],
    ['null as decisions', null],
  ] as const)('A batch with %s is refused', async ([, decisions]) => {
    before = await contents(bed);
    const answer = await org.live.post('/decisions/batch', { decisions });
    expectRefusal(answer, 'validation_error', 'decisions');
    expect(await contents(bed)).toBe(before);
  });

  it('A batch with an item that is not an object, or with a field beside decisions, is refused', async () => {
    before = await contents(bed);
    const mixed = await org.live.post('/decisions/batch', { decisions: [decision(), 7] });
    expectRefusal(mixed, 'validation_error', 'decisions[1]');
    const beside = await org.live.post('/decisions/batch', { decisions: [decision()], mode: 'x' });
    expectRefusal(beside, 'validation_error', 'mode');
    expect(await contents(bed)).toBe(before);
  });
});
