import { DecisionPage, DecisionReceipt } from '@decision-ledger/contract/decision';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, decision, expectRefusal, type Method, request } from '../support/client.js';
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
  for (const client of [org.live, org.test]) {
    for (let n = 0; n < 3; n += 1) {
      dataOf(await client.post('/decisions', decision()), DecisionReceipt, 201);
    }
  }
  before = await contents(bed);
});
afterAll(async () => {
  expect(await contents(bed)).toBe(before);
  await bed.close();
});

/** Query strings to be refused, and the parameter that the refusal names. */
const LIST: [query: string, field: string][] = [
  ...['0', '501', '-1', 'abc', '', '1.5', '1e400', '0x10', ' 5', '5 ', 'true', 'NaN', '05'].map(
    (limit): [string, string] => [`limit=${encodeURIComponent(limit)}`, 'limit'],
  ),
  ['limit=5&limit=5', 'limit'],
  ['limit[]=5', 'limit[]'],
  ['colour=red', 'colour'],
  ['Limit=5', 'Limit'],
  ['=5', ''],
  ['__proto__=1', '__proto__'],
  ['constructor=1', 'constructor'],
  ['cursor=', 'cursor'],
  ['cursor=a&cursor=b', 'cursor'],
  [`cursor=${'a'.repeat(2001)}`, 'cursor'],
  ['start=2026-04-17&end=2026-04-16', 'start'],
  ['start=2026-04-16T09:30:00.001Z&end=2026-04-16T09:30:00Z', 'start'],
  ['start=2026-04-17T00:00:00Z&end=2026-04-16', 'start'],
  ['start=2026-13-01', 'start'],
  ['start=2026-02-30', 'start'],
  ['start=', 'start'],
  ['start=0000-01-01', 'start'],
  ['end=16.04.2026', 'end'],
  ['end=1776331800', 'end'],
  ['end=2026-04-16T24:00:00Z', 'end'],
  // A plus sign in a query is a space.
  ['end=2026-04-16T09:30:00+02:00', 'end'],
  ['start=2026-04-16&start=2026-04-16', 'start'],
];

const DECISIONS: [query: string, field: string][] = [
  ['agent_id=', 'agent_id'],
  [`agent_id=${'x'.repeat(201)}`, 'agent_id'],
  ['agent_id=a&agent_id=b', 'agent_id'],
  ['agent_id=%00', 'agent_id'],
  ['action_type=a%00b', 'action_type'],
  ...['1', '0', 'yes', '', 'TRUE', 'null'].map((flag): [string, string] => [
    `human_in_loop=${flag}`,
    'human_in_loop',
  ]),
  ...['', '-0.1', '1.1', '.5', 'NaN', 'Infinity', '1e999', '0,5', '"0.5"'].map(
    (number): [string, string] => [`min_confidence=${number}`, 'min_confidence'],
  ),
  ['max_confidence=2', 'max_confidence'],
  ['min_confidence=0.75&max_confidence=0.25', 'min_confidence'],
  ['metadata=1', 'metadata'],
  ['metadata.=1', 'metadata.'],
  ['metadata.a=1&metadata.a=2', 'metadata.a'],
  [`metadata.a=${'x'.repeat(1001)}`, 'metadata.a'],
  ['metadata.a=%00', 'metadata.a'],
  ['metadata.%00=a', 'metadata.\0'],
];

const ACTIVITY: [query: string, field: string][] = [
  ['type=', 'type'],
  ['type=%00', 'type'],
  [`subject=${'x'.repeat(201)}`, 'subject'],
  ['agent_id=a', 'agent_id'],
];

const HASH = '0'.repeat(64);
const VERIFY: [query: string, field: string][] = [
  ['start_date=2026-04-17&end_date=2026-04-16', 'start_date'],
  ['start_date=soon', 'start_date'],
  ['end_date=2026-00-10', 'end_date'],
  ['start=2026-04-16', 'start'],
  ['expect_seq=1', 'expect_hash'],
  [`expect_hash=${HASH}`, 'expect_seq'],
  [`expect_seq=0&expect_hash=${HASH}`, 'expect_seq'],
  [`expect_seq=1.5&expect_hash=${HASH}`, 'expect_seq'],
  [`expect_seq=one&expect_hash=${HASH}`, 'expect_seq'],
  ['expect_seq=1&expect_hash=00', 'expect_hash'],
  [`expect_seq=1&expect_hash=${'G'.repeat(64)}`, 'expect_hash'],
];

const QUERIES: [path: string, cases: [query: string, field: string][]][] = [
  ['/decisions', [...LIST, ...DECISIONS]],
  ['/activity', [...LIST, ...ACTIVITY]],
  ['/keys', LIST.filter(([query]) => !/^(start|end)=/.test(query))],
  ['/decisions/chain/verify', VERIFY],
  ['/activity/chain/verify', VERIFY],
];

/** Prefixes the case with a short text for the test name. */
const named = ([query, field]: [string, string]) => [shorten(query), query, field] as const;
const shorten = (text: string) =>
  text.length > 80 ? `${text.slice(0, 20)}… (${text.length} characters)` : text;

describe.for(QUERIES)('GET %s', ([path, cases]) => {
  it.for(cases.map(named))('The query ?%s is answered with 422', async ([, query, field]) => {
    expectRefusal(await org.live.get(`${path}?${query}`), 'validation_error', field);
  });
});

describe('Undeclared input', () => {
  const Described = Type.Object({
    paths: Type.Record(
      Type.String(),
      Type.Record(
        Type.String(),
        Type.Object({
          security: Type.Array(Type.Unknown()),
          parameters: Type.Optional(Type.Array(Type.Object({ in: Type.String() }))),
          requestBody: Type.Optional(Type.Unknown()),
        }),
      ),
    ),
  });

  async function endpoints() {
    const { paths } = Parse(Described, JSON.parse((await org.live.get('/openapi.json')).text));
    // What exporters send has the answers of OTLP, and tests of its own.
    const described = Object.entries(paths).filter(([path]) => !path.startsWith('/v1/'));
    return described.flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { security }]) => security.length > 0)
        .map(([method, { parameters = [], requestBody }]) => ({
          url: path.replace('{id}', `dec_${'0'.repeat(26)}`),
          method: methodOf(method),
          takesQuery: parameters.some((parameter) => parameter.in === 'query'),
          takesBody: requestBody !== undefined,
        })),
    );
  }

  const send = (method: Method, url: string, body?: string) =>
    request(
      bed.http,
      method,
      url,
      { 'x-ledger-key': org.live.key, ...(body && { 'content-type': 'application/json' }) },
      body,
    );

  it('An endpoint that declares no query refuses parameters', async () => {
    const without = (await endpoints()).filter(({ takesQuery }) => !takesQuery);
    expect(without.length).toBeGreaterThan(15);
    for (const { method, url } of without) {
      const answer = await send(method, `${url}?colour=red`, method === 'GET' ? undefined : '{}');
      expectRefusal(answer, 'validation_error', 'colour');
    }
  });

  it('An endpoint that declares no body refuses a non-empty one', async () => {
    const without = (await endpoints()).filter(({ takesBody, method, url }) => {
      return method !== 'GET' && !takesBody && !url.includes('/webhook/');
    });
    expect(without.length).toBeGreaterThan(5);
    for (const { method, url } of without) {
      expectRefusal(await send(method, url, '{"colour":1}'), 'validation_error', 'colour');
      expectRefusal(await send(method, url, '5'), 'validation_error', 'body');
    }
  });
});

function methodOf(name: string): Method {
  const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];
  const found = METHODS.find((method) => method.toLowerCase() === name);
  if (found === undefined) throw new Error(`an endpoint has the method ${name}`);
  return found;
}

describe('Cursors', () => {
  const cursorOf = async (query: string, client = org.live) => {
    const page = dataOf(await client.get(`/decisions?limit=2${query}`), DecisionPage);
    return page.next_cursor ?? '';
  };

  it('A cursor is accepted for the same list, ledger and filters, with any page size', async () => {
    const cursor = await cursorOf('&agent_id=agent');
    const answer = await org.live.get(`/decisions?limit=1&agent_id=agent&cursor=${cursor}`);
    expect(dataOf(answer, DecisionPage).decisions).toHaveLength(1);
  });

  it.for([
    ['without its filter', '&agent_id=agent', ''],
    ['with an additional filter', '', '&agent_id=agent'],
    ['with another value for its filter', '&agent_id=agent', '&agent_id=other'],
    ['with another name for its filter', '&agent_id=agent', '&action_type=agent'],
    ['with an additional metadata filter', '', '&metadata.a=1'],
  ] as const)('A cursor used %s is refused with 400', async ([, made, used]) => {
    const cursor = await cursorOf(made);
    const answer = await org.live.get(`/decisions?cursor=${cursor}${used}`);
    expectRefusal(answer, 'malformed_request');
  });

  it('A cursor of another list is refused with 400', async () => {
    const cursor = await cursorOf('');
    expectRefusal(await org.live.get(`/activity?cursor=${cursor}`), 'malformed_request');
    expectRefusal(await org.live.get(`/keys?cursor=${cursor}`), 'malformed_request');
  });

  it('A cursor of another ledger is refused with 400', async () => {
    const cursor = await cursorOf('', org.test);
    expectRefusal(await org.live.get(`/decisions?cursor=${cursor}`), 'malformed_request');
  });

  it('A cursor with any character edited, removed or added is refused with 400', async () => {
    const cursor = await cursorOf('');
    const edited = Array.from(cursor, (char, at) => {
      return cursor.slice(0, at) + (char === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    });
    const others = [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}%3D`,
      `%20${cursor}`,
    ];
    for (const wrong of [...edited, ...others, 'abc', '%00', 'null', cursor.toUpperCase()]) {
      const answer = await org.live.get(`/decisions?cursor=${wrong}`);
      const isNul = wrong === '%00';
      expectRefusal(
        answer,
        isNul ? 'validation_error' : 'malformed_request',
        ...(isNul ? ['cursor'] : []),
      );
    }
  });
});

describe('Paths', () => {
  const ABSENT = 'dec_01kpat0fe0ec88qqtsarzj0nhh';
  const IDS = [
    ...[ABSENT, ABSENT.toUpperCase(), ABSENT.replace('dec', 'key'), ABSENT.slice(4), 'dec_'],
    ...[`${ABSENT}0`, ABSENT.slice(0, -1), ABSENT.replace('0', '8'), ABSENT.replace('0', 'u')],
    ...['1', '-1', 'null', '..', '*', '%00', '%20', '%F0%9F%98%80', "'%20or%201=1", '%2F', '%25'],
    ...['019d95a0-3dc0-7466-b756-6a7dd05db803', 'x'.repeat(2000)],
  ];

  it.for(IDS.map((id) => [shorten(id), id] as const))(
    'The unknown id %s is answered with 404',
    async ([, id]) => {
      expectRefusal(await org.live.get(`/decisions/${id}`), 'not_found');
      expectRefusal(await org.live.delete(`/keys/${id}`), 'not_found');
    },
  );

  it.for(['%', '%zz', '%E0%A4%A', '%ED%A0%80', '%C0%80', '%FF', '%u0041'])(
    'The malformed percent-encoding %s is answered with 400',
    async (id) => {
      expectRefusal(await org.live.get(`/decisions/${id}`), 'malformed_request');
      expectRefusal(await org.live.delete(`/keys/${id}`), 'malformed_request');
    },
  );

  it('An id longer than any id can be is answered with 400', async () => {
    const answer = await org.live.get(`/decisions/${'x'.repeat(2001)}`);
    expectRefusal(answer, 'malformed_request');
  });

  it.for([
    '/nothing',
    '/decisions/',
    '/decisions/a/b',
    '//decisions',
    '/Decisions',
    '/decisions.json',
  ])('The unknown path %s is answered with 404', async (path) => {
    expectRefusal(await org.live.get(path), 'not_found');
  });
});

it('An offset whose plus sign is not encoded is refused with the correct spelling', async () => {
  const answer = await org.live.get('/decisions?start=2026-04-16T09:30:00+02:00');
  expectRefusal(answer, 'validation_error', 'start');
  expect(answer.text).toContain('write the + of the offset as %2B');
  const encoded = await org.live.get('/decisions?start=2026-04-16T09:30:00%2B02:00');
  expect(encoded.status).toBe(200);
});
