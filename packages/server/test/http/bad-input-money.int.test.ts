import type { ErrorCode } from '@decision-ledger/contract/errors';
import { Link } from '@decision-ledger/contract/link';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf, errorOf, expectRefusal } from '../support/client.js';
import {
  BACKSLASH,
  bodyText,
  FIELD_BYTES,
  type Fields,
  LONE_HIGH,
  nested,
  sized,
  text,
  ZERO,
} from '../support/decision-text.js';
import { event, link, type Pair, recordLink, recordPair, suggest } from '../support/money.js';
import {
  contents,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;
let pair: Pair;
let before: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
  pair = await recordPair(org.live);
});
afterAll(() => bed.close());
beforeEach(async () => {
  before = await contents(bed);
});
afterEach(async () => expect(await contents(bed)).toBe(before));

type Case = [name: string, fields: Fields, path: string];

const each = (name: string, texts: readonly string[]): Case[] =>
  texts.map((raw): Case => [`${name} ${raw}`, { [name]: raw }, name]);
const quoted = (name: string, values: readonly string[]) =>
  each(
    name,
    values.map((value) => JSON.stringify(value)),
  );

/** Wrong values of a text with a maximum length, and of a name. */
const tooLong = (name: string, most: number): Case[] => [
  [`${name} of ${most + 1} characters`, { [name]: text('x', most + 1) }, name],
  [`${name} of ${most + 1} characters outside the BMP`, { [name]: text('😀', most + 1) }, name],
  [`${name} of 100 kB`, { [name]: text('x', 102_400) }, name],
  [
    `${name} of one letter and 100 kB of accents`,
    { [name]: `"e${'\u0301'.repeat(51_200)}"` },
    name,
  ],
  [`${name} with U+0000`, { [name]: `"a${ZERO}"` }, name],
  [`${name} with a lone surrogate`, { [name]: `"${LONE_HIGH}"` }, name],
];
const name = (field: string): Case[] => [
  ...each(field, ['""', '7', 'null', '{}', '[]', 'true']),
  ...tooLong(field, 200),
];
const absent = (...fields: string[]): Case[] =>
  fields.map((field) => [`no ${field}`, { [field]: null }, field]);

const UNKNOWN: Case[] = [
  ['an unknown field', { colour: '"red"' }, 'colour'],
  ['a field that the service sets itself', { id: '"evt_1"' }, 'id'],
  ['a status', { status: '"CONFIRMED"' }, 'status'],
  ['a date of deletion', { deleted_at: 'null' }, 'deleted_at'],
  ['an unknown field constructor', { constructor: '{}' }, 'constructor'],
  ['a field name that is empty', { '': '1' }, ''],
  ['a __proto__ at the top', { ['__proto__']: '{"x":1}' }, '__proto__'],
];

const EVENTS: Case[] = [
  ...absent('source', 'event_type', 'amount', 'currency', 'timestamp'),
  ...['source', 'event_type', 'external_id'].flatMap(name),
  ...quoted('amount', [
    ...['1e3', '1E3', '1,000.00', '1 000', '1_000', '1.000,00', 'NaN', 'Infinity', '-Infinity'],
    ...['٣', '１', '-0', '-0.00', '-0.000000000000', '01', '00', '00.1', '-01', '+1', '+0'],
    ...['.5', '1.', '.', '-', '', ' ', '--1', '1-', '-.5', '1..2', '1.2.3', '0x10', '0b1'],
    ...['123456789012345678901', '-123456789012345678901', '0.1234567890123', '1.0000000000000'],
    ...[' 1', '1 ', '1\n', '\t1', '1\u00a0', '1\u2028', '$1', '1 USD', '1/2', '１.0', '−1', 'null'],
  ]),
  ...each('amount', ['1250', '1250.00', '0', '-1', '1e3', 'null', 'true', '[]', '["1"]', '{}']),
  ['an amount with U+0000', { amount: `"1${ZERO}"` }, 'amount'],
  ...quoted('currency', [
    'usd',
    'Usd',
    'X'.repeat(3),
    'XAU',
    'XTS',
    'ZZZ',
    'US',
    'USDT',
    '',
    ' USD',
    'USD ',
  ]),
  ...quoted('currency', ['USD\n', 'ＵＳＤ', '840', '$', 'DEM', 'HRK', 'BGN']),
  ...each('currency', ['840', 'null', '["USD"]']),
  ...quoted('timestamp', [
    ...['', 'yesterday', '2026-04-16', '2026-04-16T09:30', '2026-04-16T09:30:00'],
    ...['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2016-12-31T23:59:60Z'],
    ...['2026-04-16T24:00:00Z', '2026-04-16 09:30:00Z', '2026-04-16T09:30:00+0200'],
    ...['+002026-04-16T09:30:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+00:01'],
    ...['9999-12-31T23:59:59-00:01', ' 2026-04-16T09:30:00Z', '2026-04-16T09:30:00Z\n'],
  ]),
  ...each('timestamp', ['1776331800000', 'null', '{}']),
  ...each('description', ['7', 'null', '{}']),
  ...tooLong('description', 1000),
  ...each('metadata', ['[]', '"{}"', 'null', '1']),
  ['metadata above 256 KiB', { metadata: sized(FIELD_BYTES + 1) }, 'metadata'],
  [
    'metadata above 256 KiB as UTF-8',
    { metadata: `{"a":"${'é'.repeat(FIELD_BYTES / 2)}"}` },
    'metadata',
  ],
  ['metadata with a key twice', { metadata: `{"b":1,"${BACKSLASH}u0062":2}` }, 'metadata.b'],
  ['metadata with 2^53', { metadata: '{"n":[1,9007199254740992]}' }, 'metadata.n[1]'],
  ['metadata with U+0000', { metadata: `{"a":"${ZERO}"}` }, 'metadata.a'],
  ['metadata with a __proto__', { metadata: '{"a":{"__proto__":{}}}' }, 'metadata.a.__proto__'],
  ...UNKNOWN,
  ['an origin', { origin: '"stripe"' }, 'origin'],
  ['an event to supersede', { supersedes: '"evt_1"' }, 'supersedes'],
];

const LINKS: Case[] = [
  ...absent('decision_id', 'financial_event_id', 'correlation_strength', 'link_type'),
  ...absent('attribution_method'),
  ...['decision_id', 'financial_event_id'].flatMap((field) =>
    each(field, ['7', 'null', '{}', '[]']),
  ),
  ...each('correlation_strength', [
    ...['1.5', '-0.1', '1.0000001', '-5e-324', '"0.5"', '"NaN"', '""', 'null', 'true', '[0.5]'],
    ...['1e999', '-1e999', '1e-999'],
  ]),
  ...quoted('link_type', ['', 'Revenue', 'REVENUE', 'income', 'revenue ', 'constructor']),
  ...each('link_type', ['1', 'null', '["revenue"]']),
  ...quoted('attribution_method', ['probabilistic', 'Direct', '', 'manual ', 'toString']),
  ...each('attribution_method', ['1', 'null', '{}']),
  ...each('notes', ['7', 'null', '{}']),
  ...tooLong('notes', 2000),
  ...UNKNOWN,
  ['a score', { score: '{}' }, 'score'],
];

const shorten = (label: string) => (label.length > 80 ? `${label.slice(0, 60)}…` : label);
const named = ([label, fields, path]: Case) => [shorten(label), fields, path] as const;

const NO_BODY: [name: string, body: string | Buffer, code: ErrorCode, path?: string][] = [
  ['nothing', '', 'malformed_request'],
  ['half an object', '{"amount":"1"', 'malformed_request'],
  ['NaN', '{"amount":NaN}', 'malformed_request'],
  ['a number with a leading zero', '{"amount":01}', 'malformed_request'],
  ['form data', 'amount=1&currency=USD', 'malformed_request'],
  ['a byte order mark', `\ufeff${bodyText({}, event())}`, 'malformed_request'],
  ['a cut UTF-8 sequence', Buffer.from([0x22, 0xc3, 0x22]), 'malformed_request'],
  ['null', 'null', 'validation_error', 'body'],
  ['a string', '"{}"', 'validation_error', 'body'],
  ['a list', '[]', 'validation_error', 'body'],
  ['a key that stands twice', '{"notes":"a","notes":"a"}', 'validation_error', 'notes'],
];

describe('POST /financial-events', () => {
  const send = (fields: Fields) => org.live.post('/financial-events', bodyText(fields, event()));

  it.for(EVENTS.map(named))(
    'A financial event with %s is refused with 422',
    async ([, fields, path]) => {
      expectRefusal(await send(fields), 'validation_error', path);
    },
  );

  it.for(NO_BODY)('POST /financial-events refuses a body of %s', async ([, body, code, path]) => {
    const answer = await org.live.post('/financial-events', body);
    expectRefusal(answer, code, ...(path === undefined ? [] : [path]));
  });

  it.for([65, 100_000])(
    'A financial event with metadata %i deep is refused with 422',
    async (depth) => {
      const { code, details } = errorOf(await send({ metadata: nested(depth) }));
      expect(code).toBe('validation_error');
      expect(Object.keys(details?.fields ?? {})).toEqual([
        expect.stringMatching(/^metadata(\.a)+$/),
      ]);
    },
  );

  it('A refused financial event is answered with every invalid field and the format of an amount', async () => {
    const answer = await send({ amount: '"1e3"', currency: '"usd"', source: '""', colour: '1' });
    const { fields = {} } = errorOf(answer).details ?? {};
    expect(Object.keys(fields).sort()).toEqual(['amount', 'colour', 'currency', 'source']);
    expect(fields.amount?.join()).toMatch(/decimal such as "1250\.00"/);
    expect(fields.currency?.join()).toContain('ISO 4217');
  });
});

describe('POST /links', () => {
  const good = () => link(pair.decision_id, pair.financial_event_id);
  const send = (fields: Fields) => org.live.post('/links', bodyText(fields, good()));

  it.for(LINKS.map(named))('A link with %s is refused with 422', async ([, fields, path]) => {
    expectRefusal(await send(fields), 'validation_error', path);
  });

  it.for(NO_BODY)('POST /links refuses a body of %s', async ([, body, code, path]) => {
    const answer = await org.live.post('/links', body);
    expectRefusal(answer, code, ...(path === undefined ? [] : [path]));
  });

  it.for(
    [
      ...[
        '',
        'dec_',
        'evt_',
        'x'.repeat(5000),
        '-1',
        "' or 1=1 --",
        '019d95a0-3dc0-7466-b756-6a7dd05db803',
      ],
      ...['dec_01kpat0fe0ec88qqtsarzj0nhh', 'evt_01kpat0fe0ec88qqtsarzj0nhh', 'é'],
    ].map((id) => [shorten(id), id] as const),
  )(
    'A link to the id "%s" is answered with 404 if the id is well formed, else with 422',
    async ([, id]) => {
      for (const [field, prefix] of [
        ['decision_id', 'dec'],
        ['financial_event_id', 'evt'],
      ] as const) {
        const answer = await send({ [field]: JSON.stringify(id) });
        if (id.startsWith(`${prefix}_0`)) expectRefusal(answer, 'not_found');
        else expectRefusal(answer, 'validation_error', field);
      }
    },
  );

  it('A link with its two ids swapped is refused with both fields named', async () => {
    const { decision_id, financial_event_id } = pair;
    const answer = await org.live.post('/links', link(financial_event_id, decision_id));
    expectRefusal(answer, 'validation_error', 'decision_id', 'financial_event_id');
  });
});

const ABSENT = '01kpat0fe0ec88qqtsarzj0nhh';

describe('Unknown ids', () => {
  const ids = (prefix: string) => [
    ...[`${prefix}_${ABSENT}`, `${prefix}_${ABSENT}`.toUpperCase(), `key_${ABSENT}`, ABSENT],
    ...[`${prefix}_`, `${prefix}_${ABSENT}0`, `${prefix}_${ABSENT.slice(1)}`, 'null', '-1', '%00'],
    ...['%20', "'%20or%201=1", '%2F', '019d95a0-3dc0-7466-b756-6a7dd05db803', 'x'.repeat(2000)],
  ];

  it.for(ids('evt').map((id) => [shorten(id), id] as const))(
    'The unknown financial event %s is answered with 404',
    async ([, id]) => {
      expectRefusal(await org.live.get(`/financial-events/${id}`), 'not_found');
      expectRefusal(await org.live.delete(`/financial-events/${id}`), 'not_found');
    },
  );

  it.for(ids('lnk').map((id) => [shorten(id), id] as const))(
    'The unknown link %s is answered with 404',
    async ([, id]) => {
      expectRefusal(await org.live.get(`/links/${id}`), 'not_found');
      expectRefusal(await org.live.delete(`/links/${id}`), 'not_found');
      for (const review of ['confirm', 'reject']) {
        expectRefusal(await org.live.post(`/links/${id}/${review}`, ''), 'not_found');
      }
    },
  );

  it.for(ids('job').map((id) => [shorten(id), id] as const))(
    'The unknown job %s is answered with 404',
    async ([, id]) => {
      expectRefusal(await org.live.post(`/jobs/${id}/retry`, ''), 'not_found');
    },
  );
});

it.for(['confirm', 'reject'])(
  'A link that does not await review is refused by %s',
  async (review) => {
    const scope = await scopeOf(bed, org.live);
    const made = await recordLink(org.live);
    const deleted = await recordLink(org.live);
    dataOf(await org.live.delete(`/links/${deleted.id}`), Link);
    const suggestions: string[] = [];
    for (const action of ['confirm', 'reject']) {
      const id = await suggest(bed, scope, await recordPair(org.live));
      dataOf(await org.live.post(`/links/${id}/${action}`, ''), Link);
      suggestions.push(id);
    }
    const gone = await suggest(bed, scope, await recordPair(org.live));
    dataOf(await org.live.delete(`/links/${gone}`), Link);
    before = await contents(bed);
    for (const id of [made.id, deleted.id, ...suggestions, gone]) {
      const answer = await org.live.post(`/links/${id}/${review}`, '');
      expectRefusal(answer, 'invalid_state');
      expect(errorOf(answer).message).toContain('ML_SUGGESTED');
    }
  },
);
