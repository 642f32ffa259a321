import { FinancialEvent, FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { character } from '../../../proof/test/support/characters.js';
import { document, print } from '../../../proof/test/support/json-document.js';
import { runs } from '../../../proof/test/support/runs.js';
import { type Answer, dataOf, errorOf } from '../support/client.js';
import { event, link, type Pair, recordPair } from '../support/money.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;
let pair: Pair;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
  pair = await recordPair(org.live);
});
afterAll(() => bed.close());

/** Names with a meaning to the service or to JavaScript. */
const name = fc.oneof(
  fc.constantFrom(...Object.keys(event()), 'external_id', 'description', 'metadata'),
  fc.constantFrom(...Object.keys(link('', '')), 'notes', 'status', 'score', 'id'),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '', '0'),
  fc.string({ unit: character, maxLength: 5 }),
);

/** Values that nearly fit one field or another. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.stringMatching(/^-?[0-9]{0,22}[.,e]?[0-9]{0,14}$/),
  fc.stringMatching(/^[A-Za-z]{2,4}$/),
  fc.constantFrom('USD', 'revenue', 'manual', '2026-04-16T09:30:00Z', '1e3', '٣'),
  fc.double(),
);

/** A valid body with some fields replaced or added by arbitrary values. */
const almost = (good: () => object) =>
  fc
    .dictionary(name, value, { maxKeys: 3, noNullPrototype: true })
    .map((fields) => JSON.stringify({ ...good(), ...fields }));

const anything = (good: () => object) =>
  fc.oneof(
    { weight: 3, arbitrary: almost(good) },
    fc.json(),
    document.map(({ node, layout }) => print(node, layout)),
    fc.string({ unit: character }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );

const REFUSED =
  /^(malformed_request|validation_error|payload_too_large|not_found|conflict|invalid_state)$/;

/** Either all of the body was recorded, or nothing and the answer says why. */
async function expectAllOrNothing(before: string, answer: Answer): Promise<void> {
  if (answer.status === 201) {
    expect(await contents(bed)).not.toBe(before);
    return;
  }
  const { code, details } = errorOf(answer);
  expect(code).toMatch(REFUSED);
  if (code === 'validation_error') expect(Object.keys(details?.fields ?? {})).not.toEqual([]);
  expect(await contents(bed)).toBe(before);
}

describe('Arbitrary bodies', () => {
  it.for([
    ['/financial-events', () => event(), FinancialEvent],
    ['/links', () => link(pair.decision_id, pair.financial_event_id), Link],
  ] as const)(
    'POST %s records an arbitrary body or answers it with a 4xx envelope',
    async ([path, good, schema]) => {
      let recorded = 0;
      await fc.assert(
        fc.asyncProperty(anything(good), async (body) => {
          const before = await contents(bed);
          const answer = await org.live.post(path, body);
          await expectAllOrNothing(before, answer);
          if (answer.status !== 201) return;
          recorded += 1;
          const { id } = dataOf(answer, schema, 201);
          // A remaining link would leave the next body nothing to create.
          dataOf(await org.live.delete(`${path}/${id}`), schema);
        }),
        { seed: 2026, numRuns: runs(300) },
      );
      expect(recorded).toBeGreaterThan(5);
    },
  );

  it('Routes without a body answer an arbitrary body with a 4xx envelope', async () => {
    const { status, text } = await org.live.post('/links/lnk_1/confirm', '');
    expect(status, text).toBe(404);
    await fc.assert(
      fc.asyncProperty(anything(event), async (body) => {
        for (const path of ['/links/lnk_1/confirm', '/links/lnk_1/reject', '/jobs/job_1/retry']) {
          const before = await contents(bed);
          await expectAllOrNothing(before, await org.live.post(path, body));
        }
      }),
      { seed: 2026, numRuns: runs(50) },
    );
  });
});

describe('Arbitrary queries', () => {
  it.for([
    ['/financial-events', FinancialEventPage],
    ['/links', LinkPage],
  ] as const)(
    'GET %s answers an arbitrary query with 200 or a 4xx envelope',
    async ([path, page]) => {
      const parameter = fc.tuple(
        fc.oneof(
          name,
          fc.constantFrom('limit', 'cursor', 'start', 'end', 'min_strength', 'include_deleted'),
        ),
        fc.oneof(fc.string({ unit: character }), fc.json(), value.map(String)),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(parameter, { maxLength: 3 }), async (parameters) => {
          const answer = await org.live.get(`${path}?${new URLSearchParams(parameters)}`);
          if (answer.status === 200) dataOf(answer, page);
          else expect(errorOf(answer).code).toMatch(/^(malformed_request|validation_error)$/);
        }),
        { seed: 2026, numRuns: runs(300) },
      );
    },
  );
});
