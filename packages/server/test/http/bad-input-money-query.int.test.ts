import { FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { LinkPage } from '@decision-ledger/contract/link';
import { DeadJobPage } from '@decision-ledger/contract/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { recordLink } from '../support/money.js';
import {
  contents,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../support/service.js';
import { giveUpJob } from '../support/stored-jobs.js';

let bed: TestService;
let org: Organisation;
let before: string;

const LISTS = {
  'financial-events': FinancialEventPage,
  links: LinkPage,
  'jobs/dead': DeadJobPage,
} as const;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
  for (const client of [org.live, org.test]) {
    const scope = await scopeOf(bed, client);
    for (let n = 0; n < 3; n += 1) {
      await recordLink(client);
      await giveUpJob(bed, scope, { object_id: `ch_${n}` });
    }
  }
  before = await contents(bed);
});
afterAll(async () => {
  expect(await contents(bed)).toBe(before);
  await bed.close();
});

type Case = [query: string, field: string];

/** Query strings to be refused, and the parameter that the refusal names. */
const PAGING: Case[] = [
  ...['0', '501', '-1', 'abc', '', '1.5', '1e400', '0x10', ' 5', '5 ', 'true', 'NaN', '05'].map(
    (limit): Case => [`limit=${encodeURIComponent(limit)}`, 'limit'],
  ),
  ['limit=5&limit=5', 'limit'],
  ['limit[]=5', 'limit[]'],
  ['colour=red', 'colour'],
  ['key=lg_live_x', 'key'],
  ['Limit=5', 'Limit'],
  ['=5', ''],
  ['__proto__=1', '__proto__'],
  ['constructor=1', 'constructor'],
  ['cursor=', 'cursor'],
  ['cursor=%00', 'cursor'],
  ['cursor=a&cursor=b', 'cursor'],
  [`cursor=${'a'.repeat(2001)}`, 'cursor'],
];

const DELETED: Case[] = [
  ...['1', '0', 'yes', '', 'TRUE', 'null'].map(
    (flag): Case => [`include_deleted=${flag}`, 'include_deleted'],
  ),
  ['include_deleted=true&include_deleted=true', 'include_deleted'],
];

const EVENTS: Case[] = [
  ...['source', 'event_type', 'external_id'].flatMap((name): Case[] => [
    [`${name}=`, name],
    [`${name}=${'x'.repeat(201)}`, name],
    [`${name}=a&${name}=b`, name],
    [`${name}=a%00b`, name],
  ]),
  ...['usd', 'US', 'USDT', '', '840', 'US%00', '%EF%BC%B5SD'].map(
    (code): Case => [`currency=${code}`, 'currency'],
  ),
  ['currency=USD&currency=EUR', 'currency'],
  ['start=2026-04-17&end=2026-04-16', 'start'],
  ['start=2026-04-17T00:00:00Z&end=2026-04-16', 'start'],
  ['start=2026-02-30', 'start'],
  ['start=', 'start'],
  ['start=0000-01-01', 'start'],
  ['end=16.04.2026', 'end'],
  ['end=1776331800', 'end'],
  // A plus sign in a query is a space.
  ['end=2026-04-16T09:30:00+02:00', 'end'],
  ['start=2026-04-16&start=2026-04-16', 'start'],
  ['amount=1,00', 'amount'],
  ['amounts=1', 'amounts'],
  ['metadata.a=1', 'metadata.a'],
];

const ABSENT = '01kpat0fe0ec88qqtsarzj0nhh';
const LINKS: Case[] = [
  ...['', 'x', ABSENT, `evt_${ABSENT}`, `dec_${ABSENT}0`, 'dec_', 'dec_%00', '%25'].map(
    (id): Case => [`decision_id=${id}`, 'decision_id'],
  ),
  ...['', 'x', ABSENT, `dec_${ABSENT}`, `evt_${ABSENT.slice(1)}`, 'evt_%00'].map(
    (id): Case => [`financial_event_id=${id}`, 'financial_event_id'],
  ),
  [`decision_id=dec_${ABSENT}&decision_id=dec_${ABSENT}`, 'decision_id'],
  ...['', 'confirmed', 'DELETED', 'CONFIRMED%20', 'constructor'].map(
    (status): Case => [`status=${status}`, 'status'],
  ),
  ['status=CONFIRMED&status=REJECTED', 'status'],
  ...['', '-0.1', '1.1', '.5', 'NaN', 'Infinity', '1e999', '0,5', '"0.5"', '1.0000001'].map(
    (number): Case => [`min_strength=${number}`, 'min_strength'],
  ),
  ['link_type=revenue', 'link_type'],
  ['start=2026-04-16', 'start'],
];

const QUERIES: [path: string, cases: Case[]][] = [
  ['/financial-events', [...PAGING, ...DELETED, ...EVENTS]],
  ['/links', [...PAGING, ...DELETED, ...LINKS]],
  ['/jobs/dead', [...PAGING, ['include_deleted=true', 'include_deleted'], ['queue=a', 'queue']]],
];

const shorten = (text: string) =>
  text.length > 80 ? `${text.slice(0, 20)}… (${text.length} characters)` : text;
/** Prefixes the case with a short text for the test name. */
const named = ([query, field]: Case) => [shorten(query), query, field] as const;

describe.for(QUERIES)('GET %s', ([path, cases]) => {
  it.for(cases.map(named))('The query ?%s is answered with 422', async ([, query, field]) => {
    expectRefusal(await org.live.get(`${path}?${query}`), 'validation_error', field);
  });
});

describe('Cursors', () => {
  const cursorOf = async (list: keyof typeof LISTS, query = '', client: Client = org.live) => {
    const { next_cursor } = dataOf(await client.get(`/${list}?limit=2${query}`), LISTS[list]);
    if (next_cursor === null) throw new Error(`${list} has only one page`);
    return next_cursor;
  };
  const lists = ['financial-events', 'links', 'jobs/dead'] as const;

  it.for(lists)('A cursor of %s is refused by every other list and ledger', async (list) => {
    const cursor = await cursorOf(list);
    dataOf(await org.live.get(`/${list}?cursor=${cursor}`), LISTS[list]);
    for (const other of [...lists, 'decisions', 'activity', 'keys'].filter((it) => it !== list)) {
      expectRefusal(await org.live.get(`/${other}?cursor=${cursor}`), 'malformed_request');
    }
    const foreign = await cursorOf(list, '', org.test);
    expectRefusal(await org.live.get(`/${list}?cursor=${foreign}`), 'malformed_request');
  });

  it.for([
    ['financial-events', '&source=billing', ''],
    ['financial-events', '', '&source=billing'],
    ['financial-events', '&source=billing', '&event_type=billing'],
    ['financial-events', '', '&include_deleted=true'],
    ['financial-events', '&include_deleted=true', '&include_deleted=false'],
    ['financial-events', '&start=2026-01-01', '&end=2027-01-01'],
    ['links', '&status=CONFIRMED', ''],
    ['links', '', '&status=CONFIRMED'],
    ['links', '&min_strength=0.1', '&min_strength=0.2'],
    ['links', '', '&include_deleted=true'],
  ] as const)('A cursor of %s made with ?%s is refused with ?%s', async ([list, made, used]) => {
    const cursor = await cursorOf(list, made);
    const answer = await org.live.get(`/${list}?cursor=${cursor}${used}`);
    expectRefusal(answer, 'malformed_request');
  });

  it.for(lists)(
    'A cursor of %s with any character edited, removed or added is refused',
    async (list) => {
      const cursor = await cursorOf(list);
      const edited = Array.from(cursor, (char, at) => {
        return cursor.slice(0, at) + (char === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      });
      for (const wrong of [...edited, cursor.slice(1), `${cursor}A`, 'abc', 'null']) {
        expectRefusal(await org.live.get(`/${list}?cursor=${wrong}`), 'malformed_request');
      }
    },
  );
});
